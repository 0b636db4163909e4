#pragma once
// Defaults of scalar fields without a parser: most calls leave most fields out, and their defaults
// are short constants of ours. Internal to this layer, pure, any thread.

#include <string_view>

#include "json/shape.h"

namespace ducat::json {

// Stores the default; false when it is no plain scalar of that kind (then it has to be parsed).
[[nodiscard]] bool StoreScalarDefault(const Shape& shape, std::string_view json, void* out);

}  // namespace ducat::json
