#pragma once
// AnalystSettings: what the command line decided about the analyst pack (analyst.md 1). Filled by
// the app, read by the pack; a plain value that does not change while the server runs.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "packs/analyst/file_scan.h"
#include "packs/analyst/messages/query.h"
#include "worker/hello.h"

namespace ducat::analyst {

struct AnalystSettings {
  std::string data_dir;    // as the user wrote it; shown in answers
  std::string data_root;   // canonical and absolute; never shown
  std::string db_file;     // as written; empty without --db
  std::string db_root;     // canonical
  std::string state_dir;   // names.json and saved queries; empty: nowhere to keep them
  std::string tables_dir;  // private to the process: finished columnar copies
  ScanRules scan;
  size_t unpack_ratio_max = 1'000;  // of compressed files, above 64 MiB
  RowLimits limits;
  RowFormat result_format = RowFormat::kRows;
  std::chrono::milliseconds timeout{30'000};
  std::chrono::milliseconds grace{500};
  std::chrono::milliseconds load_timeout{600'000};
  int workers = 2;
  worker::Sandbox sandbox = worker::Sandbox::kBestEffort;
  uint64_t memory_limit_bytes = uint64_t{2} << 30;
  uint64_t temp_limit_bytes = uint64_t{4} << 30;
  int threads = 2;
  bool allow_saved_queries = false;
  std::string saved_queries_file;  // empty: in state_dir
  std::vector<std::string> notes;  // what every listing repeats, such as a weak sandbox
  // A directory of at most this size is read in the background right after the start.
  size_t eager_files_max = 200;
  uint64_t eager_bytes_max = uint64_t{256} << 20;
};

}  // namespace ducat::analyst
