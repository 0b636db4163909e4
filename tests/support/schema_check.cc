#include "support/schema_check.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

namespace ducat::testing {
namespace {

using Json = nlohmann::json;

// Keywords that say nothing about validity here.
constexpr std::array<std::string_view, 9> kAnnotations{"$schema", "description",  "title",
                                                       "default", "examples",     "format",
                                                       "pattern", "x-mcp-header", "$comment"};

std::string Check(const Json& schema, const Json& value, const std::string& path);

bool HasType(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") {
    return value.is_number_integer() ||
           (value.is_number_float() && value.get<double>() == std::floor(value.get<double>()));
  }
  return false;
}

std::string CheckObject(const Json& schema, const Json& value, const std::string& path) {
  if (!value.is_object()) return "";
  for (const Json& name : schema.value("required", Json::array())) {
    if (!value.contains(name.get<std::string>())) return path + ": lacks " + name.dump();
  }
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, member] : value.items()) {
    const std::string at = path + "." + name;
    if (properties.contains(name)) {
      if (std::string why = Check(properties[name], member, at); !why.empty()) return why;
    } else if (schema.contains("additionalProperties")) {
      if (std::string why = Check(schema["additionalProperties"], member, at); !why.empty()) {
        return at + ": is not declared, or " + why;
      }
    }
  }
  return "";
}

std::string CheckArray(const Json& schema, const Json& value, const std::string& path) {
  if (!value.is_array()) return "";
  if (schema.contains("minItems") && value.size() < schema["minItems"]) return path + ": too short";
  if (schema.contains("maxItems") && value.size() > schema["maxItems"]) return path + ": too long";
  if (!schema.contains("items")) return "";
  for (size_t i = 0; i < value.size(); ++i) {
    const std::string at = path + "[" + std::to_string(i) + "]";
    if (std::string why = Check(schema["items"], value[i], at); !why.empty()) return why;
  }
  return "";
}

size_t CodePoints(const std::string& text) {
  size_t count = 0;
  for (const char c : text)
    count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

std::string CheckScalar(const Json& schema, const Json& value, const std::string& path) {
  if (value.is_number()) {
    if (schema.contains("minimum") && value < schema["minimum"]) return path + ": too small";
    if (schema.contains("maximum") && value > schema["maximum"]) return path + ": too big";
  }
  if (value.is_string()) {
    const size_t length = CodePoints(value.get<std::string>());
    if (schema.contains("minLength") && length < schema["minLength"]) return path + ": too short";
    if (schema.contains("maxLength") && length > schema["maxLength"]) return path + ": too long";
  }
  if (schema.contains("const") && value != schema["const"]) return path + ": is another value";
  if (!schema.contains("enum")) return "";
  for (const Json& allowed : schema["enum"]) {
    if (allowed == value) return "";
  }
  return path + ": is none of " + schema["enum"].dump();
}

std::string CheckCombined(const Json& schema, const Json& value, const std::string& path) {
  if (schema.contains("not") && Check(schema["not"], value, path).empty()) {
    return path + ": fits what it must not";
  }
  if (!schema.contains("anyOf")) return "";
  std::string reasons;
  for (const Json& option : schema["anyOf"]) {
    const std::string why = Check(option, value, path);
    if (why.empty()) return "";
    reasons += " / " + why;
  }
  return path + ": fits no option" + reasons;
}

std::string UnknownKeyword(const Json& schema) {
  constexpr std::array<std::string_view, 15> kKnown{
      "type",    "properties", "required",  "additionalProperties",
      "items",   "minItems",   "maxItems",  "minimum",
      "maximum", "minLength",  "maxLength", "enum",
      "const",   "anyOf",      "not"};
  for (const auto& [keyword, unused] : schema.items()) {
    if (std::ranges::find(kKnown, keyword) == kKnown.end() &&
        std::ranges::find(kAnnotations, keyword) == kAnnotations.end()) {
      return keyword;
    }
  }
  return "";
}

std::string Check(const Json& schema, const Json& value, const std::string& path) {
  if (schema.is_boolean()) return schema.get<bool>() ? "" : path + ": nothing is allowed here";
  if (!schema.is_object()) return path + ": the schema is no object";
  if (std::string keyword = UnknownKeyword(schema); !keyword.empty()) {
    return path + ": the schema has the unknown keyword " + keyword;
  }
  if (schema.contains("type") && !HasType(value, schema["type"].get<std::string>())) {
    return path + ": is no " + schema["type"].get<std::string>();
  }
  for (const auto check : {CheckObject, CheckArray, CheckScalar, CheckCombined}) {
    if (std::string why = check(schema, value, path); !why.empty()) return why;
  }
  return "";
}

}  // namespace

std::string SchemaMismatch(std::string_view schema, std::string_view value) {
  const Json parsed_schema = Json::parse(schema, nullptr, false);
  const Json parsed_value = Json::parse(value, nullptr, false);
  if (parsed_schema.is_discarded()) return "the schema is not JSON";
  if (parsed_value.is_discarded()) return "the value is not JSON";
  return Check(parsed_schema, parsed_value, "$");
}

}  // namespace ducat::testing
