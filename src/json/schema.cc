#include "json/schema.h"

#include <algorithm>

#include "json/shape_access.h"

namespace ducat::json {

namespace {

constexpr std::string_view kDialect = "https://json-schema.org/draft/2020-12/schema";
constexpr double kExactMax = 9007199254740991.0;  // 2^53 - 1

// An empty list or object as default is what leaving the argument out means anyway.
bool SaysMore(std::string_view default_json) {
  return !default_json.empty() && default_json != "[]" && default_json != "{}";
}

std::string_view FormatName(Format format) {
  switch (format) {
    case Format::kNone:
      return "";
    case Format::kDate:
      return "date";
    case Format::kDateTime:
      return "date-time";
    case Format::kUri:
      return "uri";
  }
  return "";
}

// Writes the members of schemas; which side decides what "required" means and how null is said.
class SchemaWriter {
 public:
  SchemaWriter(SchemaSide side, JsonWriter& out) : input_(side == SchemaSide::kInput), out_(out) {}

  void Value(const Shape& shape, const Rule& rule, std::string_view doc) {
    out_.BeginObject();
    Members(shape, rule, doc);
    out_.EndObject();
  }

  void Properties(const Shape& shape) {
    for (const Field& field : shape.fields) {
      out_.Key(field.name);
      Value(*field.shape, field.rule, field.doc);
    }
  }

  void Required(const Shape& shape) {
    const auto is_required = [this](const Field& field) {
      return input_ ? !IsOptionalInput(field) : field.shape->kind != Kind::kOptional;
    };
    if (std::ranges::none_of(shape.fields, is_required)) return;
    out_.Key("required");
    out_.BeginArray();
    for (const Field& field : shape.fields) {
      if (is_required(field)) out_.String(field.name);
    }
    out_.EndArray();
  }

 private:
  void Members(const Shape& shape, const Rule& rule, std::string_view doc) {
    switch (shape.kind) {
      case Kind::kBoolean:
        return Scalar("boolean", rule, doc);
      case Kind::kInteger:
        Scalar("integer", rule, doc);
        return IntegerRange(shape, rule);
      case Kind::kNumber:
        Scalar("number", rule, doc);
        return NumberRange(rule);
      case Kind::kString:
        Scalar("string", rule, doc);
        return StringRules(rule);
      case Kind::kEnum:
        return Enum(shape, rule, doc);
      case Kind::kArray:
      case Kind::kRawElements:
        return Array(shape, rule, doc);
      case Kind::kOptional:
        return Members(*shape.inner, rule, doc);
      case Kind::kNullable:
        return Nullable(shape, rule, doc);
      case Kind::kObject:
        return Object(shape, rule, doc);
      case Kind::kMap:
        return Map(shape, rule, doc);
      case Kind::kRaw:
      case Kind::kAny:
        return Description(rule, doc);
    }
  }

  void Scalar(std::string_view type, const Rule& rule, std::string_view doc) {
    out_.Field("type", type);
    Description(rule, doc);
  }

  void Description(const Rule& rule, std::string_view doc) {
    if (!doc.empty()) out_.Field("description", doc);
    if (!input_) return;
    if (SaysMore(rule.default_json)) out_.RawField("default", rule.default_json);
    if (!rule.header.empty()) out_.Field("x-mcp-header", rule.header);
  }

  void Bound(std::string_view name, double bound) {
    out_.Field(name, static_cast<int64_t>(std::clamp(bound, -kExactMax, kExactMax)));
  }

  void IntegerRange(const Shape& shape, const Rule& rule) {
    if (rule.minimum) {
      Bound("minimum", *rule.minimum);
    } else if (!shape.is_signed) {
      Bound("minimum", 0);
    }
    if (rule.maximum) Bound("maximum", *rule.maximum);
  }

  void NumberRange(const Rule& rule) {
    if (rule.minimum) out_.Field("minimum", *rule.minimum);
    if (rule.maximum) out_.Field("maximum", *rule.maximum);
  }

  void Count(std::string_view name, std::optional<uint32_t> count) {
    if (count) out_.Field(name, uint64_t{*count});
  }

  void StringRules(const Rule& rule) {
    Count("minLength", rule.min_length);
    Count("maxLength", rule.max_length);
    if (!rule.pattern.empty()) out_.Field("pattern", rule.pattern);
    if (rule.format != Format::kNone) out_.Field("format", FormatName(rule.format));
  }

  void Enum(const Shape& shape, const Rule& rule, std::string_view doc) {
    Scalar("string", rule, doc);
    out_.Key("enum");
    out_.BeginArray();
    for (const std::string_view name : shape.names) {
      out_.String(name);
    }
    out_.EndArray();
  }

  void Array(const Shape& shape, const Rule& rule, std::string_view doc) {
    Scalar("array", rule, doc);
    if (shape.inner != nullptr) {
      out_.Key("items");
      Value(*shape.inner, ElementRule(rule), rule.element_doc);
    } else if (!rule.element_doc.empty()) {
      out_.Key("items");
      out_.BeginObject();
      out_.Field("description", rule.element_doc);
      out_.EndObject();
    }
    Count("minItems", rule.min_items);
    Count("maxItems", rule.max_items);
  }

  void Nullable(const Shape& shape, const Rule& rule, std::string_view doc) {
    if (input_) return Members(*shape.inner, rule, doc);
    out_.Key("anyOf");
    out_.BeginArray();
    Value(*shape.inner, rule, {});
    out_.BeginObject();
    out_.Field("type", "null");
    out_.EndObject();
    out_.EndArray();
    Description(rule, doc);
  }

  void Object(const Shape& shape, const Rule& rule, std::string_view doc) {
    Scalar("object", rule, doc);
    out_.Key("properties");
    out_.BeginObject();
    Properties(shape);
    out_.EndObject();
    Required(shape);
    out_.Field("additionalProperties", false);
  }

  void Map(const Shape& shape, const Rule& rule, std::string_view doc) {
    Scalar("object", rule, doc);
    out_.Key("additionalProperties");
    Value(*shape.inner, ElementRule(rule), rule.element_doc);
  }

  bool input_;
  JsonWriter& out_;
};

}  // namespace

Rule ElementRule(const Rule& rule) {
  return Rule{.minimum = rule.minimum,
              .maximum = rule.maximum,
              .min_length = rule.min_length,
              .max_length = rule.max_length,
              .pattern = rule.pattern,
              .format = rule.format,
              .trim = rule.trim,
              .free_text = rule.free_text};
}

void AppendSchema(const Shape& shape, const Rule& rule, std::string_view doc, SchemaSide side,
                  JsonWriter& out) {
  SchemaWriter(side, out).Value(shape, rule, doc);
}

void AppendInputSchema(const Shape& shape, bool names_dialect, JsonWriter& out) {
  SchemaWriter schema(SchemaSide::kInput, out);
  out.BeginObject();
  if (names_dialect) out.Field("$schema", kDialect);
  out.Field("type", "object");
  out.Key("properties");
  out.BeginObject();
  schema.Properties(shape);
  out.EndObject();
  schema.Required(shape);
  out.Field("additionalProperties", false);
  out.EndObject();
}

namespace {

// Success has no `error` and all that is required of it; failure has `error`.
void AppendEither(const Shape& shape, SchemaWriter& schema, JsonWriter& out) {
  const auto requires_error = [&out] { out.RawField("required", R"(["error"])"); };
  out.Key("anyOf");
  out.BeginArray();
  out.BeginObject();
  out.Key("not");
  out.BeginObject();
  requires_error();
  out.EndObject();
  schema.Required(shape);
  out.EndObject();
  out.BeginObject();
  requires_error();
  out.EndObject();
  out.EndArray();
}

}  // namespace

void AppendOutputSchema(const Shape& shape, std::string_view error_schema, bool exact,
                        JsonWriter& out) {
  SchemaWriter schema(SchemaSide::kOutput, out);
  out.BeginObject();
  out.Field("type", "object");
  out.Key("properties");
  out.BeginObject();
  schema.Properties(shape);
  out.RawField("error", error_schema);
  out.EndObject();
  out.Field("additionalProperties", false);
  if (exact) AppendEither(shape, schema, out);
  out.EndObject();
}

}  // namespace ducat::json
