#include "worker/child/ingest/engine_loss.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ducat::ingest {
namespace {

constexpr size_t kShownBytes = 60;

// The type that the engine's reader takes for such values; empty: text, which loses nothing.
std::string EngineType(const TextType& type) {
  switch (type.kind) {
    case TextType::Kind::kHugeInt:
    case TextType::Kind::kDecimal:
      return "DOUBLE";
    case TextType::Kind::kVarchar:
    case TextType::Kind::kCommaDouble:
    case TextType::Kind::kUuid:
      return {};
    default:
      return type.Name();
  }
}

}  // namespace

void EngineLoss::EndSample(TextClasses sampled) {
  sampled_ = sampled;
  const TextType type = DecideType(sampled, TextOrigin::kDelimited);
  if (sampled == 0 || EngineType(type).empty()) {
    kept_ = ~TextClasses{0};
    return;
  }
  TextClasses fitting = 0;
  for (size_t bit = 0; bit < kTextClassCount; ++bit) {
    const TextClasses one = TextClasses{1} << bit;
    if (DecideType(sampled | one, TextOrigin::kDelimited).kind == type.kind) fitting |= one;
  }
  kept_ &= fitting;
}

void EngineLoss::Keep(int64_t line, std::string_view text) {
  first_.push_back({.line = line, .text = std::string(ClipUtf8(text, kShownBytes))});
}

// line 30002: "12.75" as 13, ...
std::string EngineLoss::Shown(std::string_view type, engine::Connection& connection) const {
  std::string text;
  for (const Value& value : first_) {
    std::string read = "nothing";
    auto rows = connection.Run(fmt::format("SELECT CAST(TRY_CAST({} AS {}) AS VARCHAR)",
                                           engine::QuoteText(value.text), type));
    if (rows.has_value()) {
      auto cells = rows->AllText();
      if (cells.has_value() && cells->front().front().has_value()) read = *cells->front().front();
    }
    text += fmt::format("{}line {}: \"{}\" as {}", text.empty() ? "" : ", ", value.line, value.text,
                        read);
  }
  return text;
}

std::optional<TypeFinding> EngineLoss::Finding(const TextColumn& column,
                                               engine::Connection& connection) const {
  const TextClasses lost = column.facts.classes & ~kept_;
  if (lost == 0 || first_.empty() || !column.type.warning.empty()) return std::nullopt;
  const TextClasses seen = sampled_ == 0 ? column.facts.classes : sampled_;
  const std::string type = EngineType(DecideType(seen, TextOrigin::kDelimited));
  if (type.empty()) return std::nullopt;
  return TypeFinding{.code = "engine_would_lose",
                     .column = column.name,
                     .count = column.facts.Count(lost),
                     .message = fmt::format("Kept exactly; the engine's own guess is {}: {}", type,
                                            Shown(type, connection)),
                     .suggestion = {}};
}

}  // namespace ducat::ingest
