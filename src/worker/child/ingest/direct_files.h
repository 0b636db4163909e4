#pragma once
// DirectFiles: files that a statement reads where they lie, looked at before the engine opens them.
// It would wait for the writer of a pipe, take all memory for the columns of a wide text, and JSON
// nested deeper than its reader bears would end the worker, once for every new text of a statement.
// What has been looked at is remembered by size and time. Owned by the worker's catalog; job
// thread.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "base/result.h"

namespace ducat::ingest {

// What will read the file.
enum class DirectReader : uint8_t { kOther, kCsv, kJson };

class DirectFiles {
 public:
  // `relative` is a visible file. Fails with table_unreadable, path_outside_data_dir (it has become
  // a link) or cancelled; what is missing or forbidden the engine tells.
  [[nodiscard]] Status Check(std::string_view data_dir, const std::string& relative,
                             DirectReader reader, const std::function<bool()>& interrupted);

 private:
  using Stamp = std::tuple<int64_t, int64_t, DirectReader>;  // bytes, time of the last change
  std::map<std::string, Stamp> readable_;
};

}  // namespace ducat::ingest
