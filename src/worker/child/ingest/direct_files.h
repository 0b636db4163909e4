#pragma once
// DirectFiles: files that a statement reads where they lie, looked at before the engine opens them.
// It would wait for the writer of a pipe, and JSON nested deeper than its reader bears would end
// the worker, once for every new text of a statement. What has been looked at is remembered by size
// and time. Owned by the worker's catalog; job thread.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace ducat::ingest {

class DirectFiles {
 public:
  // `relative` is a visible file. Fails with table_unreadable, or cancelled; what is missing or
  // forbidden the engine tells.
  [[nodiscard]] Status Check(std::string_view data_dir, const std::string& relative, bool is_json,
                             const std::function<bool()>& interrupted);

 private:
  using Stamp = std::pair<int64_t, int64_t>;  // bytes, time of the last change
  std::map<std::string, Stamp> shallow_;      // JSON that is no deeper than allowed
};

}  // namespace ducat::ingest
