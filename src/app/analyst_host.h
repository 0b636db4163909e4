#pragma once
// AnalystHost: every object of the analyst, built in order and owned: event loop, clock, log,
// private directory, worker pool, catalog, pack, registry. A server adds the protocol to it,
// commands for people call its tools directly. Built by main, one per process; control thread only.

#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>

#include "app/settings.h"
#include "app/temp_root.h"
#include "base/clock.h"
#include "base/log.h"
#include "mcp/registry.h"
#include "packs/analyst/analyst_pack.h"
#include "packs/analyst/catalog.h"
#include "packs/analyst/worker_jobs.h"
#include "worker/pool.h"

namespace ducat::app {

class AnalystHost {
 public:
  // `settings` has its paths resolved. Fails when the directory cannot be opened or no private
  // directory can be made.
  [[nodiscard]] static Result<std::unique_ptr<AnalystHost>> Build(Settings settings,
                                                                  bool readable_log);

  [[nodiscard]] boost::asio::io_context& loop() { return loop_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] Log& log() { return log_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }
  [[nodiscard]] const worker::Pool& pool() const { return pool_; }
  [[nodiscard]] mcp::Registry& registry() { return registry_; }
  [[nodiscard]] analyst::AnalystPack& pack() { return pack_; }
  // What may come after the first reply: the spare worker, the walk, leftovers of dead processes.
  void StartLater();

  // What Build makes it from; nobody else has one.
  struct Parts {
    Settings settings;
    TempRoot temp;
    analyst::FileScan scan;
    bool readable_log;
  };
  explicit AnalystHost(Parts parts);

 private:
  Settings settings_;
  TempRoot temp_;
  SystemClock clock_;
  Log log_;
  boost::asio::io_context loop_{1};
  worker::Pool pool_;
  analyst::Catalog catalog_;
  analyst::WorkerJobs jobs_;
  mcp::Registry registry_;
  analyst::AnalystPack pack_;
};

}  // namespace ducat::app
