#include "mcp/answer_fit.h"

#include <algorithm>

#include "base/text.h"
#include "json/format_rules.h"

namespace ducat::mcp {
namespace {

json::View Member(json::View object, std::string_view name) {
  return object.Find(name).value_or(json::View());
}

bool Within(double value, json::View schema, std::string_view least, std::string_view most) {
  const auto low = Member(schema, least).AsDouble();
  const auto high = Member(schema, most).AsDouble();
  return (!low || value >= *low) && (!high || value <= *high);
}

// `choices` is a list of strings, or of {const, title}; null: anything goes.
bool IsChoice(json::View choices, std::string_view text) {
  if (!choices.IsArray()) return true;
  bool found = false;
  choices.ForEachElement([&](json::View choice) {
    const json::View value = choice.IsObject() ? Member(choice, "const") : choice;
    found = value.AsString() == text;
    return !found;
  });
  return found;
}

bool FitsFormat(std::string_view format, std::string_view text) {
  if (format == "date") return json::FitsFormat(json::Format::kDate, text);
  if (format == "date-time") return json::FitsFormat(json::Format::kDateTime, text);
  if (format == "uri") return json::FitsFormat(json::Format::kUri, text);
  if (format != "email") return true;
  const size_t at = text.find('@');
  return at != text.npos && at > 0 && at + 1 < text.size() && text.find(' ') == text.npos;
}

bool FitsText(json::View schema, json::View value) {
  const auto text = value.AsString();
  if (!text) return false;
  if (!IsChoice(Member(schema, "enum"), *text) || !IsChoice(Member(schema, "oneOf"), *text)) {
    return false;
  }
  return Within(static_cast<double>(CountCodePoints(*text)), schema, "minLength", "maxLength") &&
         FitsFormat(Member(schema, "format").AsString().value_or(""), *text);
}

bool FitsChoices(json::View schema, json::View value) {
  if (!value.IsArray()) return false;
  const json::View items = Member(schema, "items");
  bool fits = Within(static_cast<double>(value.Size()), schema, "minItems", "maxItems");
  value.ForEachElement([&](json::View element) {
    const auto text = element.AsString();
    fits = fits && text && IsChoice(Member(items, "enum"), *text) &&
           IsChoice(Member(items, "anyOf"), *text);
    return fits;
  });
  return fits;
}

bool FitsField(json::View schema, json::View value) {
  const std::string_view type = Member(schema, "type").AsString().value_or("string");
  if (type == "boolean") return value.AsBoolean().has_value();
  if (type == "array") return FitsChoices(schema, value);
  if (type == "string") return FitsText(schema, value);
  const auto number = value.AsDouble();
  if (!number || (type == "integer" && !value.AsInteger())) return false;
  return Within(*number, schema, "minimum", "maximum");
}

bool IsElicited(const InputRequest& request, json::View answer) {
  const auto action = Member(answer, "action").AsString();
  if (action == "decline" || action == "cancel") return true;
  if (action != "accept") return false;
  json::Document document;
  const Result<json::View> schema = document.Parse(request.schema);
  return schema && FitsForm(*schema, Member(answer, "content"));
}

bool IsSampled(json::View answer) {
  const json::View content = Member(answer, "content");
  return Member(answer, "role").IsString() && (content.IsObject() || content.IsArray());
}

bool AreRoots(json::View answer) {
  const json::View roots = Member(answer, "roots");
  bool fits = roots.IsArray();
  roots.ForEachElement([&](json::View root) {
    fits = fits && Member(root, "uri").IsString();
    return fits;
  });
  return fits;
}

}  // namespace

bool FitsForm(json::View schema, json::View content) {
  bool fits = content.IsObject() || content.IsNull();
  Member(schema, "required").ForEachElement([&](json::View name) {
    fits = fits && content.Find(name.AsString().value_or("")).has_value();
    return fits;
  });
  Member(schema, "properties").ForEachMember([&](std::string_view name, json::View field) {
    const auto value = content.Find(name);
    fits = fits && (!value || FitsField(field, *value));
    return fits;
  });
  return fits;
}

bool AnswerFits(const InputRequest& request, json::View answer) {
  if (!answer.IsObject()) return false;
  switch (request.kind) {
    case InputKind::kElicitation:
      return IsElicited(request, answer);
    case InputKind::kSampling:
      return IsSampled(answer);
    case InputKind::kRoots:
      break;
  }
  return AreRoots(answer);
}

}  // namespace ducat::mcp
