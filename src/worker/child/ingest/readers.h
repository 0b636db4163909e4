#pragma once
// The readers behind IngestFile, one per kind of file. Each is told a path that the engine may open
// and gives the finished table, or the engine's error for FileFailure. Job thread.

#include <functional>
#include <string>
#include <string_view>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/ingest.h"
#include "worker/child/ingest/json_depth.h"

namespace ducat::ingest {

// Reasons of their own are errors of type kOwnError whose subtype is the reason.
inline constexpr std::string_view kOwnError = "ingest";
[[nodiscard]] tl::unexpected<engine::EngineError> OwnError(std::string reason, std::string message);
[[nodiscard]] tl::unexpected<engine::EngineError> OwnError(const Error& error);

struct CsvJob {
  std::string path;            // UTF-8 text
  std::string_view delimiter;  // of .tsv; empty: to be found
  std::string_view private_dir;
  const std::function<bool()>& interrupted;
};
[[nodiscard]] engine::EngineResult<IngestedTable> ReadCsv(engine::Connection& connection,
                                                          const CsvJob& job);
struct JsonJob {
  std::string path;        // UTF-8 text
  const JsonDepth& depth;  // what is known of it
  std::string_view private_dir;
  const std::function<bool()>& interrupted;
};
[[nodiscard]] engine::EngineResult<IngestedTable> ReadJson(engine::Connection& connection,
                                                           const JsonJob& job);
// `name`: of the file in messages.
[[nodiscard]] engine::EngineResult<IngestedTable> ReadParquet(engine::Connection& connection,
                                                              const std::string& path,
                                                              std::string_view name);

}  // namespace ducat::ingest
