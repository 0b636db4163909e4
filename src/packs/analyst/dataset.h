#pragma once
// Dataset: the data directory and database that one server offers. Walks the directory once, after
// the first answer or at the first call that needs it, asks a worker for the database's objects,
// keeps the catalog and has tables loaded in the background or on demand (analyst.md 2.4). Owned by
// the pack; control thread only.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.h"
#include "base/log.h"
#include "mcp/call_context.h"
#include "packs/analyst/catalog.h"
#include "packs/analyst/change_signal.h"
#include "packs/analyst/file_scan.h"
#include "packs/analyst/job_runner.h"
#include "packs/analyst/settings.h"
#include "packs/analyst/table_loader.h"

namespace ducat::analyst {

// What a dataset works with; all of it outlives the dataset. The catalog stands apart because
// workers follow it.
struct DatasetParts {
  boost::asio::any_io_executor executor;
  const Clock& clock;
  Log& log;
  const AnalystSettings& settings;
  Catalog& catalog;
  JobRunner& jobs;
};

class Dataset {
 public:
  // `scan` is open already, so that a wrong directory stops the start.
  Dataset(const DatasetParts& parts, FileScan scan);
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  // Begins the walk and the background load; later calls do nothing.
  void Start();
  // Called on the control thread after tables have appeared, or a batch of them has been read.
  void OnChange(std::function<void()> listener);

  // Ends when the directory has been walked. Fails with cancelled or timeout.
  [[nodiscard]] Task<void> Listed(MonotonicTime until, CancelToken cancel);

  // Has the named tables loaded, or all of them when `names` is empty. Ends when they are, at
  // `until`, or on cancelling; which of them are loaded the catalog tells. Fails only with
  // cancelled or with an obstacle that is no file's fault. Reports progress to `context`, which
  // outlives the call.
  [[nodiscard]] Task<void> Load(std::vector<std::string> names, MonotonicTime until,
                                const mcp::CallContext& context);

  // Like Load, file by file until `until`: what time does not suffice for is not read afterwards
  // either. For calls that want as many of thousands of files as their wait allows.
  [[nodiscard]] Task<void> LoadWithin(std::vector<std::string> names, MonotonicTime until,
                                      const mcp::CallContext& context);

  // Tables not read yet that `wanted` keeps (all without it), when they are few and small enough to
  // be read soon; else none: thousands of files are read when they are used.
  [[nodiscard]] std::vector<std::string> WorthLoading(
      const std::function<bool(const TableEntry&)>& wanted) const;

  // What is known without waiting, for the instructions: a small directory is walked on the spot.
  void TryListNow();

  [[nodiscard]] bool listed() const;
  [[nodiscard]] const ScannedDirectory& directory() const;  // counts of the walk
  // Why the database's objects are missing; nothing when they are there or there is none.
  [[nodiscard]] const std::optional<Error>& database_problem() const;
  // Asks for the database's objects again when that failed before and a moment has passed.
  [[nodiscard]] Task<void> RetryDatabase();

  [[nodiscard]] const Catalog& catalog() const { return parts_.catalog; }
  [[nodiscard]] const AnalystSettings& settings() const { return parts_.settings; }
  [[nodiscard]] JobRunner& jobs() { return parts_.jobs; }
  [[nodiscard]] const Clock& clock() const { return parts_.clock; }

 private:
  struct State;
  DatasetParts parts_;
  std::shared_ptr<State> state_;
};

}  // namespace ducat::analyst
