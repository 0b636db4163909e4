#pragma once
// Canonical JSON: one text for equal values, to be hashed: members sorted by their bytes at every
// level, no blanks. Numbers stay as they were parsed, so 1 and 1.0 differ. Pure; any thread.

#include <span>
#include <string>
#include <string_view>

#include "json/view.h"

namespace ducat::json {

// `without`: members of the outermost object that do not count.
[[nodiscard]] std::string CanonicalJson(View value, std::span<const std::string_view> without = {});

}  // namespace ducat::json
