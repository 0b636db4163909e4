#pragma once
// TableLoader: brings files into the catalog. Pending tables are ingested one after another by an
// `ingest` worker, those that somebody waits for first; the staged file is moved into the tables
// directory and the entry becomes ready, empty or unreadable with its reason (analyst.md 2.4, 10).
// One bad file costs one worker at most and never stops the rest. Control thread only.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "packs/analyst/catalog.h"
#include "packs/analyst/change_signal.h"
#include "packs/analyst/job_runner.h"
#include "packs/analyst/settings.h"

namespace ducat::analyst {

struct LoadProgress {
  std::string table;
  double done = 0, total = 0;
};

class TableLoader {
 public:
  TableLoader(boost::asio::any_io_executor executor, const AnalystSettings& settings,
              Catalog& catalog, JobRunner& jobs, ChangeSignal& changes);
  ~TableLoader();
  TableLoader(const TableLoader&) = delete;
  TableLoader& operator=(const TableLoader&) = delete;

  // Queues pending tables. `first`: before everything that is queued already.
  void Request(const std::vector<std::string>& names, bool first);

  // Called on the control thread whenever the queue has been worked off.
  void OnIdle(std::function<void()> callback);

  // What is being read now; nothing when idle.
  [[nodiscard]] const std::optional<LoadProgress>& current() const;
  // Why the last load could not run at all (no worker, queue full); the file is not to blame and
  // stays pending.
  [[nodiscard]] const std::optional<Error>& obstacle() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ducat::analyst
