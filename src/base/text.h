#pragma once
// Text on the level of bytes and characters: UTF-8, ASCII case, near names for "did you mean",
// base64url, numbers and times for people. Pure functions without state or locale; any thread may
// call them. Nothing here fails, except that decoders answer nothing on malformed input. Every cost
// is linear.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace ducat {

// UTF-8
// ---------------------------------------------------------------------------------------------

// One step at the start of `text`, which must not be empty: a well-formed sequence, or the maximal
// subpart of an ill-formed one (what a repair replaces by one U+FFFD).
struct Utf8Step {
  uint8_t length = 1;
  bool valid = false;
};
[[nodiscard]] Utf8Step NextUtf8(std::string_view text);

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

[[nodiscard]] bool IsValidUtf8(std::string_view text);
// Bytes at the start that are plain ASCII (fast), whole when all are.
[[nodiscard]] size_t AsciiPrefix(std::string_view text);
[[nodiscard]] std::string RepairUtf8(std::string_view text);
void AppendUtf8(std::string& out, char32_t code_point);
// `text` must be valid UTF-8 in the two below; ill-formed text gives some answer, never a crash.
[[nodiscard]] size_t CountCodePoints(std::string_view text);
[[nodiscard]] std::string_view FirstCodePoints(std::string_view text, size_t count);
// The longest prefix of at most `bytes_max` bytes that does not end inside a character.
[[nodiscard]] std::string_view ClipUtf8(std::string_view text, size_t bytes_max);

// ASCII
// ---------------------------------------------------------------------------------------------

[[nodiscard]] constexpr char AsciiLower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
[[nodiscard]] constexpr char AsciiUpper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}
[[nodiscard]] constexpr bool IsAsciiDigit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr bool IsAsciiBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
[[nodiscard]] std::string AsciiLower(std::string_view text);
[[nodiscard]] std::string AsciiUpper(std::string_view text);
[[nodiscard]] bool EqualsIgnoringCase(std::string_view a, std::string_view b);
// Without outer blanks.
[[nodiscard]] std::string_view Trim(std::string_view text);

// Near names
// ----------------------------------------------------------------------------------------

// Damerau-Levenshtein distance (optimal string alignment) over characters, without ASCII case;
// counts up to `limit`, above it the answer is limit + 1.
[[nodiscard]] size_t EditDistance(std::string_view a, std::string_view b, size_t limit);

// What to do when no candidate is within distance.
enum class NearFallback : uint8_t {
  kNone,
  kContaining,  // candidates that begin with or contain the name, or that the name begins with
};

// At most `max` candidates whose distance to `name` is <= 2 and <= a third of the name, nearest
// first, equal ones in the order given.
[[nodiscard]] std::vector<std::string> NearNames(std::string_view name,
                                                 std::span<const std::string_view> candidates,
                                                 size_t max,
                                                 NearFallback fallback = NearFallback::kNone);
[[nodiscard]] std::vector<std::string> NearNames(std::string_view name,
                                                 const std::vector<std::string>& candidates,
                                                 size_t max,
                                                 NearFallback fallback = NearFallback::kNone);

// Forms
// ---------------------------------------------------------------------------------------------

// RFC 4648 section 5 without padding. Decoding is strict: no padding, no blanks, no spare bits.
[[nodiscard]] std::string Base64UrlEncode(std::string_view bytes);
[[nodiscard]] std::optional<std::string> Base64UrlDecode(std::string_view text);

// 1234567 -> "1,234,567".
[[nodiscard]] std::string WithThousands(int64_t value);
[[nodiscard]] std::string WithThousands(uint64_t value);

// "2026-07-28T09:05:00Z"; with milliseconds "2026-07-28T09:05:00.250Z".
[[nodiscard]] std::string Iso8601Utc(WallTime time);
[[nodiscard]] std::string Iso8601UtcMillis(WallTime time);

}  // namespace ducat
