#pragma once
// The words after `ducat call`: a tool, then its arguments as one JSON object or as --field value
// pairs. Pure functions.

#include <string>
#include <vector>

#include "base/result.h"

namespace ducat::app {

struct CallWords {
  std::string tool;
  std::string arguments = "{}";  // a JSON object
};

// Values of fields are sent as text; a tool's own repairs turn "15" into 15, "true" into true and
// JSON text into the list or object it wants. A field given more than once is a list. --field alone
// is true. Fails with invalid_usage.
[[nodiscard]] Result<CallWords> ParseCallWords(const std::vector<std::string>& words);

}  // namespace ducat::app
