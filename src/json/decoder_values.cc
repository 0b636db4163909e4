// The scalar and container halves of Decoder: what each Kind accepts, and its repairs.
#include <algorithm>
#include <charconv>
#include <limits>

#include "base/text.h"
#include "json/decoder.h"
#include "json/fault.h"
#include "json/format_rules.h"
#include "json/pattern.h"
#include "json/schema.h"
#include "json/shape_access.h"
#include "json/whole_number.h"
#include "json/writer.h"

namespace ducat::json {

namespace {

std::string BoundText(double bound) {
  std::string text;
  AppendShortest(text, bound);
  return text;
}

bool HasNul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

// Whether some string in compact JSON text holds U+0000, which is written \u0000 there.
bool HasEscapedNul(std::string_view json) {
  constexpr std::string_view kNul = "\\u0000";
  for (size_t at = 0; (at = json.find(kNul, at)) != std::string_view::npos; at += kNul.size()) {
    size_t before = at;
    while (before > 0 && json[before - 1] == '\\') {
      --before;
    }
    if ((at - before) % 2 == 0) return true;
  }
  return false;
}

std::optional<double> SpecialNumber(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return kInfinity;
  if (text == "-Infinity") return -kInfinity;
  return std::nullopt;
}

std::optional<double> NumberFromText(std::string_view text) {
  if (JudgeNumber(text) == NumberForm::kMalformed) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc{}) return std::nullopt;
  return value;
}

}  // namespace

void Decoder::Boolean(const Shape& shape, View value, void* out, const Place& place) {
  std::optional<bool> flag = value.AsBoolean();
  const std::optional<std::string_view> text = value.AsString();
  if (!flag && repairing() && (text == "true" || text == "false")) {
    flag = text == "true";
    Coerced(place);
  }
  if (flag) {
    *static_cast<bool*>(out) = *flag;
  } else if (Wanted()) {
    Add(TypeIssue(place, shape, value));
  }
}

void Decoder::Integer(const Shape& shape, const Rule& rule, View value, void* out,
                      const Place& place) {
  std::optional<WholeNumber> number = WholeNumber::FromView(value);
  const bool from_text = !number && value.IsString();
  if (from_text) {
    number = WholeNumber::FromText(rule.trim ? Trim(*value.AsString()) : *value.AsString());
  }
  if (!number) {
    if (Wanted()) Add(TypeIssue(place, shape, value));
    return;
  }
  const int side = number->AgainstType(shape);
  const bool below = side < 0 || (rule.minimum && number->IsBelow(*rule.minimum));
  const bool above = side > 0 || (rule.maximum && number->IsAbove(*rule.maximum));
  if (!below && !above) {
    number->Store(shape, out);
    if (from_text) Coerced(place);
    return;
  }
  if (!Wanted()) return;
  if (from_text && repairing()) return Add(TypeIssue(place, shape, value));
  if (below) {
    return Add(TooSmallIssue(place, Counted::kNumber,
                             rule.minimum ? BoundText(*rule.minimum) : LowestText(shape)));
  }
  Add(TooBigIssue(place, Counted::kNumber,
                  rule.maximum ? BoundText(*rule.maximum) : HighestText(shape)));
}

void Decoder::Number(const Shape& shape, const Rule& rule, View value, void* out,
                     const Place& place) {
  std::optional<double> number = value.AsDouble();
  const bool from_text = !number && value.IsString();
  if (from_text) {
    const std::string_view text = rule.trim ? Trim(*value.AsString()) : *value.AsString();
    number = repairing() ? NumberFromText(text) : SpecialNumber(text);
  }
  const bool below = number && rule.minimum && *number < *rule.minimum;
  const bool above = number && rule.maximum && *number > *rule.maximum;
  if (number && !below && !above) {
    *static_cast<double*>(out) = *number;
    if (from_text) Coerced(place);
    return;
  }
  if (!Wanted()) return;
  if (!number || from_text) return Add(TypeIssue(place, shape, value));
  Add(below ? TooSmallIssue(place, Counted::kNumber, BoundText(*rule.minimum))
            : TooBigIssue(place, Counted::kNumber, BoundText(*rule.maximum)));
}

// The text of a string; repaired: that of an integer. Valid while `value` and `buffer` are.
std::optional<std::string_view> Decoder::TextOf(const Rule& rule, View value,
                                                std::string& buffer) const {
  if (const auto text = value.AsString()) return rule.trim ? Trim(*text) : *text;
  if (!repairing() || (value.type() != Type::kInteger && value.type() != Type::kUnsigned)) {
    return std::nullopt;
  }
  buffer = value.ToJson();
  return buffer;
}

Decoder::TextFault Decoder::JudgeText(const Rule& rule, std::string_view text) const {
  if (repairing() && HasNul(text)) return TextFault::kNul;
  if (rule.min_length || rule.max_length) {
    const size_t length = CountCodePoints(text);
    if (rule.min_length && length < *rule.min_length) return TextFault::kShort;
    if (rule.max_length && length > *rule.max_length) return TextFault::kLong;
  }
  if (!FitsFormat(rule.format, text)) return TextFault::kFormat;
  if (!rule.pattern.empty()) {
    const std::optional<Pattern> pattern = Pattern::Compile(rule.pattern);
    CHECK(pattern.has_value());
    if (!pattern->Matches(text)) return TextFault::kPattern;
  }
  return TextFault::kNone;
}

void Decoder::String(const Shape& shape, const Rule& rule, View value, void* out,
                     const Place& place) {
  std::string buffer;
  const std::optional<std::string_view> text = TextOf(rule, value, buffer);
  const TextFault fault = text ? JudgeText(rule, *text) : TextFault::kNone;
  if (text && fault == TextFault::kNone) {
    static_cast<std::string*>(out)->assign(*text);
    if (!value.IsString()) Coerced(place);
    return;
  }
  if (!Wanted()) return;
  if (!value.IsString()) return Add(TypeIssue(place, shape, value));
  switch (fault) {
    case TextFault::kNone:
      return;
    case TextFault::kNul:
      return Add(NulIssue(place));
    case TextFault::kShort:
      return Add(TooSmallIssue(place, Counted::kCharacters, std::to_string(*rule.min_length)));
    case TextFault::kLong:
      return Add(TooBigIssue(place, Counted::kCharacters, std::to_string(*rule.max_length)));
    case TextFault::kFormat:
      return Add(FormatIssue(place, rule.format, *text));
    case TextFault::kPattern:
      return Add(PatternIssue(place, rule.pattern));
  }
}

void Decoder::Enum(const Shape& shape, const Rule& rule, View value, void* out,
                   const Place& place) {
  std::string buffer;
  if (const auto text = TextOf(rule, value, buffer)) {
    const auto name = std::ranges::find(shape.names, *text);
    if (name != shape.names.end()) {
      StoreInteger(out, shape.size, static_cast<uint64_t>(name - shape.names.begin()));
      if (!value.IsString()) Coerced(place);
      return;
    }
  }
  if (Wanted()) Add(OptionIssue(place, shape, value));
}

void Decoder::Array(const Shape& shape, const Rule& rule, View value, void* out,
                    const Place& place) {
  if (value.IsArray()) return ArrayElements(shape, rule, value, out, place);
  if (FromText(shape, rule, value, out, place)) return;
  if (FromScalar(shape, rule, value, out, place)) return;
  if (Wanted()) Add(TypeIssue(place, shape, value));
}

void Decoder::ArrayElements(const Shape& shape, const Rule& rule, View value, void* out,
                            const Place& place) {
  shape.clear(out);
  const size_t count = value.Size();
  if (rule.min_items && count < *rule.min_items && Wanted()) {
    Add(TooSmallIssue(place, Counted::kItems, std::to_string(*rule.min_items)));
  }
  if (rule.max_items && count > *rule.max_items && Wanted()) {
    Add(TooBigIssue(place, Counted::kItems, std::to_string(*rule.max_items)));
  }
  const Rule element_rule = ElementRule(rule);
  const size_t read_max = rule.max_items.value_or(std::numeric_limits<uint32_t>::max());
  size_t index = 0;
  value.ForEachElement([&](View element) {
    if (index >= read_max) return false;
    const Place here{.parent = &place, .index = index++, .is_element = true, .field = place.field};
    Value(*shape.inner, element_rule, element, shape.grow(out), here);
    return true;
  });
}

void Decoder::Map(const Shape& shape, const Rule& rule, View value, void* out, const Place& place) {
  if (!value.IsObject()) {
    if (FromText(shape, rule, value, out, place)) return;
    if (Wanted()) Add(TypeIssue(place, shape, value));
    return;
  }
  shape.clear(out);
  const Rule element_rule = ElementRule(rule);
  value.ForEachMember([&](std::string_view key, View element) {
    const Place here{.parent = &place, .key = key, .field = place.field};
    if (repairing() && HasNul(key)) {
      if (Wanted()) Add(NulIssue(here));
      return true;
    }
    Value(*shape.inner, element_rule, element, shape.insert(out, key), here);
    return true;
  });
}

void Decoder::Any(View value, std::string& out, const Place& place) {
  out = value.ToJson();
  if (repairing() && HasEscapedNul(out) && Wanted()) Add(NulIssue(place));
}

void Decoder::Elements(const Shape& shape, View value, std::string& out, const Place& place) {
  if (!value.IsArray()) {
    if (Wanted()) Add(TypeIssue(place, shape, value));
    return;
  }
  const std::string json = value.ToJson();
  out.assign(json, 1, json.size() - 2);
}

bool Decoder::FromText(const Shape& shape, const Rule& rule, View value, void* out,
                       const Place& place) {
  const std::optional<std::string_view> text = value.AsString();
  if (!repairing() || !text) return false;
  const std::string_view json = Trim(*text);
  if (!json.starts_with(shape.kind == Kind::kArray ? '[' : '{')) return false;
  Document document;
  const Result<View> parsed = document.Parse(json);
  if (!parsed) return false;
  DecodeReport report;
  Decoder(mode_, report).Value(shape, rule, *parsed, out, place);
  if (!report.issues.empty()) return false;
  Accept(std::move(report), place);
  return true;
}

bool Decoder::FromScalar(const Shape& shape, const Rule& rule, View value, void* out,
                         const Place& place) {
  if (!repairing() || value.IsNull() || value.IsObject() || value.IsArray()) return false;
  if (const auto text = value.AsString()) {
    if (text->find_first_of(",\n") != std::string_view::npos) return false;
  }
  if (rule.min_items.value_or(0) > 1 || rule.max_items.value_or(1) < 1) return false;
  shape.clear(out);
  DecodeReport report;
  const Place here{.parent = &place, .is_element = true, .field = place.field};
  Decoder(mode_, report).Value(*shape.inner, ElementRule(rule), value, shape.grow(out), here);
  if (!report.issues.empty()) return false;
  Accept(std::move(report), place);
  return true;
}

}  // namespace ducat::json
