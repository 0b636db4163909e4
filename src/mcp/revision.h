#pragma once
// The five protocol revisions and what each may see (protocol.md 1.1, 5.3). Encoders ask the
// questions below, never a version number, so that the table stands in one place. Pure; any thread.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ducat::mcp {

enum class Revision : uint8_t { k20241105, k20250326, k20250618, k20251125, k20260728 };

inline constexpr Revision kModern = Revision::k20260728;
inline constexpr Revision kNewestLegacy = Revision::k20251125;
inline constexpr size_t kRevisionCount = 5;
inline constexpr std::array<std::string_view, kRevisionCount> kRevisionNames{
    "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};
// All five as a JSON array, oldest first; the modern one alone.
inline constexpr std::string_view kAllRevisionsJson =
    R"(["2024-11-05","2025-03-26","2025-06-18","2025-11-25","2026-07-28"])";
inline constexpr std::string_view kModernRevisionsJson = R"(["2026-07-28"])";

[[nodiscard]] constexpr std::string_view Name(Revision revision) {
  return kRevisionNames[static_cast<size_t>(revision)];
}
[[nodiscard]] constexpr std::optional<Revision> ParseRevision(std::string_view text) {
  for (size_t i = 0; i < kRevisionCount; ++i) {
    if (kRevisionNames[i] == text) return static_cast<Revision>(i);
  }
  return std::nullopt;
}
[[nodiscard]] constexpr bool IsModern(Revision revision) {
  return revision == kModern;
}

// annotations of tools, the completions capability, message of progress.
[[nodiscard]] constexpr bool HasAnnotations(Revision revision) {
  return revision >= Revision::k20250326;
}
[[nodiscard]] constexpr bool HasBatches(Revision revision) {
  return revision == Revision::k20250326;
}
// structuredContent, outputSchema, resource_link.
[[nodiscard]] constexpr bool HasStructured(Revision revision) {
  return revision >= Revision::k20250618;
}
// title and _meta on tools, prompts, resources, contents.
[[nodiscard]] constexpr bool HasTitles(Revision revision) {
  return revision >= Revision::k20250618;
}
// icons, serverInfo.description, serverInfo.websiteUrl.
[[nodiscard]] constexpr bool HasImplementationDetails(Revision revision) {
  return revision >= Revision::k20251125;
}

}  // namespace ducat::mcp
