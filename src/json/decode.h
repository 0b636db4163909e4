#pragma once
// Arguments to struct: repairs first, then all problems at once, each with its path, in words that
// an agent can act on (protocol.md 14.3 and 14.4). Cost is linear in the input. Pure functions; the
// struct is the caller's.

#include <string>
#include <vector>

#include "json/shape.h"
#include "json/view.h"

namespace ducat::json {

// Kept in full; further ones are counted.
inline constexpr size_t kIssuesMax = 30;
inline constexpr size_t kIssuesInText = 10;
inline constexpr size_t kIssueBytesMax = 1'024;  // of each string of an issue

struct Issue {
  // invalid_type, unrecognized_keys, too_small, too_big, invalid_value, invalid_format
  std::string code;
  std::string path;     // "filters[2].date"; empty at the root
  std::string message;  // after its path, the reference servers' words
  std::string hint;     // empty when the message says what to do
  bool missing = false;
};

// What was changed before judging; names only, at most kIssuesMax of each.
struct Repairs {
  std::vector<std::string> aliased, ignored, coerced;
};

struct DecodeReport {
  std::vector<Issue> issues;
  size_t issues_count = 0;  // at least issues.size()
  Repairs repairs;
};

// Fills the struct at `out` (of the object shape `shape`) from the arguments object. `arguments`
// null counts as {}; a string that parses to an object as that object. The report's issues are
// empty when `out` is complete. Never fails otherwise.
[[nodiscard]] DecodeReport DecodeArguments(const Shape& shape, View arguments, void* out);

// Strict decoding of our own messages (frames, state files): no repairs, unknown members are
// ignored, what JsonWriter writes for large integers and for NaN is read back; reason
// "invalid_message" names the first problem and its path.
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
