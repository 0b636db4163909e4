#pragma once
// Arguments to struct: repairs first, then all problems at once, each with its path, in words that
// an agent can act on (protocol.md 14.3 and 14.4). Cost is linear in the input.

#include <string>
#include <vector>

#include "json/shape.h"
#include "json/view.h"

namespace ducat::json {

struct Issue {
  std::string
      code;  // invalid_type, unrecognized_keys, too_small, too_big, invalid_value, invalid_format
  std::string path;     // "filters[2].date"; empty at the root
  std::string message;  // after its path, the reference servers' words
  std::string hint;
};

// What was changed before judging; names only.
struct Repairs {
  std::vector<std::string> aliased, ignored, coerced;
};

struct DecodeReport {
  std::vector<Issue> issues;
  Repairs repairs;
};

// Fills the struct at `out` (of the object shape `shape`) from the arguments object. `arguments`
// null counts as {}; a string that parses to an object as that object. The report's issues are
// empty when `out` is complete. Never fails otherwise.
[[nodiscard]] DecodeReport DecodeArguments(const Shape& shape, View arguments, void* out);

// Strict decoding of our own messages (frames, state files): no repairs, unknown members are
// ignored, reason "invalid_message" names the first problem and its path.
[[nodiscard]] Status DecodeStrict(const Shape& shape, View value, void* out);

template <class T>
[[nodiscard]] Result<T> Decode(View value) {
  T out{};
  TRY(DecodeStrict(kShape<T>, value, &out));
  return out;
}

// The error of a tool whose arguments were refused (reason "invalid_arguments", data.issues,
// data.input).
[[nodiscard]] Error ArgumentsError(std::string_view tool, const DecodeReport& report);

}  // namespace ducat::json
