#pragma once
// JSON Schema 2020-12 of a Shape (protocol.md 14.2), in declaration order. Pure functions that
// cannot fail; any thread may call them.

#include "json/shape.h"
#include "json/writer.h"

namespace ducat::json {

// The schema of tool arguments: type object, properties (always), required when not empty,
// additionalProperties false. A field is required when it is neither optional nor has a default.
// `names_dialect` adds $schema, for readers that would assume another draft.
void AppendInputSchema(const Shape& shape, bool names_dialect, JsonWriter& out);

// Success and failure in one output schema. `exact` adds the anyOf of the 2026-07-28 form; without
// it the root is true of both outcomes. `error_schema` is the object schema of the member `error`.
void AppendOutputSchema(const Shape& shape, std::string_view error_schema, bool exact,
                        JsonWriter& out);

// On the input side a field is optional when it has a default, and nothing is nullable.
enum class SchemaSide : uint8_t { kInput, kOutput };

// Schema of one value, as used inside both.
void AppendSchema(const Shape& shape, const Rule& rule, std::string_view doc, SchemaSide side,
                  JsonWriter& out);

}  // namespace ducat::json
