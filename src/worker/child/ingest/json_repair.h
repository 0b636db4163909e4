#pragma once
// Rewrites a JSON file that the engine refuses or would read inexactly: one record a line, records
// that are no JSON left out and told, of double keys the last kept, and numbers that no double
// holds as text (analyst.md 3.5). Streams; constant memory but for one record. Job thread.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "worker/child/ingest/text_class.h"

namespace ducat::ingest {

struct BadJson {
  int64_t line = 0;
  std::string why;
  std::string text;  // at most 200 bytes
};

// Classes of the numbers at each path that has some which a double does not hold. Keys are joined
// by kPathStep, the elements of a list are one step named "[]".
using NumberPaths = std::map<std::string, TextClasses>;
inline constexpr char kPathStep = '\x1F';

struct JsonRepair {
  std::string path;  // of the rewritten file
  int64_t records = 0;
  int64_t rejected = 0;
  std::vector<BadJson> bad;  // the first few
  int64_t double_keys = 0;
  int64_t nonstandard_numbers = 0;  // NaN and infinities
  NumberPaths inexact;
};

struct JsonRepairJob {
  std::string path;
  std::string out;
  // Numbers at these paths are written as text.
  std::set<std::string> as_text;
  const std::function<bool()>& interrupted;
};

// Reasons: corrupt (no record is JSON), too_large (one record), temp_limit, cancelled, permission.
[[nodiscard]] Result<JsonRepair> RepairJson(const JsonRepairJob& job);

}  // namespace ducat::ingest
