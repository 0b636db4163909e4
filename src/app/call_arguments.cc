#include "app/call_arguments.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "json/writer.h"

namespace ducat::app {
namespace {

Failure Unusable(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_usage", std::move(message),
              "ducat call TOOL '{\"field\": value}', or ducat call TOOL --field value.");
}

struct FieldValues {
  std::string name;
  std::vector<std::optional<std::string>> values;  // nothing: a field alone
};

// "--max-rows=5" and "--max-rows 5" alike; names of fields have underscores.
Result<std::vector<FieldValues>> Fields(const std::vector<std::string>& words, size_t first) {
  std::vector<FieldValues> fields;
  for (size_t i = first; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) return Unusable("\"" + words[i] + "\" is no --field.");
    std::string name = words[i].substr(2);
    std::optional<std::string> value;
    if (const size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
      value = words[++i];
    }
    std::ranges::replace(name, '-', '_');
    if (name.empty()) return Unusable("A field has no name.");
    auto found = std::ranges::find(fields, name, &FieldValues::name);
    if (found == fields.end()) found = fields.insert(fields.end(), {.name = name, .values = {}});
    found->values.push_back(std::move(value));
  }
  return fields;
}

void WriteValue(const std::optional<std::string>& value, json::JsonWriter& out) {
  value.has_value() ? out.String(*value) : out.Bool(true);
}

}  // namespace

Result<CallWords> ParseCallWords(const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with("-")) return Unusable("The tool's name is missing.");
  CallWords call;
  call.tool = words[0];
  const bool object = words.size() > 1 && !words[1].starts_with("--");
  TRY_ASSIGN(const std::vector<FieldValues> fields, Fields(words, object ? 2 : 1));
  if (object && !fields.empty()) {
    return Unusable("Give the arguments as JSON or as fields, not both.");
  }
  if (object) {
    call.arguments = words[1];
    return call;
  }
  call.arguments.clear();
  json::JsonWriter out(call.arguments);
  out.BeginObject();
  for (const FieldValues& field : fields) {
    out.Key(field.name);
    if (field.values.size() == 1) {
      WriteValue(field.values.front(), out);
      continue;
    }
    out.BeginArray();
    for (const std::optional<std::string>& value : field.values) {
      WriteValue(value, out);
    }
    out.EndArray();
  }
  out.EndObject();
  return call;
}

}  // namespace ducat::app
