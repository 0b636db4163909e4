#pragma once
// The formats that a string field may ask for. Dates are days that exist in the calendar, times
// follow RFC 3339. Pure functions, any thread.

#include <string_view>

#include "json/shape.h"

namespace ducat::json {

[[nodiscard]] bool FitsFormat(Format format, std::string_view text);

}  // namespace ducat::json
