#pragma once
// Whether a field's default is a value of the field's type and within its bounds. Decoding takes a
// default for granted and ends the process over a wrong one, so registration asks this first. Pure.

#include "json/shape.h"
#include "json/view.h"

namespace ducat::json {

// `value`: the parsed default. What passes decodes strictly into the shape.
[[nodiscard]] bool FitsShape(const Shape& shape, View value);
// As FitsShape, and numbers, lengths and counts keep the rule.
[[nodiscard]] bool FitsField(const Field& field, View value);

}  // namespace ducat::json
