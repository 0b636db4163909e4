#include "app/analyst_host.h"

#include <cstdlib>
#include <utility>

namespace ducat::app {
namespace {

std::string TempParent() {
  return ProcessEnvironment()("TMPDIR").value_or("/tmp");
}

}  // namespace

Result<std::unique_ptr<AnalystHost>> AnalystHost::Build(Settings settings, bool readable_log) {
  analyst::FileScan scan = analyst::FileScan::Nothing();
  if (!settings.analyst.data_root.empty()) {
    TRY_ASSIGN(scan, analyst::FileScan::Open(settings.analyst.data_root, settings.analyst.scan));
  }
  TRY_ASSIGN(TempRoot temp, TempRoot::Create(TempParent()));
  settings.analyst.tables_dir = temp.tables_dir();
  auto host = std::make_unique<AnalystHost>(Parts{.settings = std::move(settings),
                                                  .temp = std::move(temp),
                                                  .scan = std::move(scan),
                                                  .readable_log = readable_log});
  TRY(host->pack_.Register(host->registry_));
  return host;
}

AnalystHost::AnalystHost(Parts parts)
    : settings_(std::move(parts.settings)),
      temp_(std::move(parts.temp)),
      log_(clock_, {.level = settings_.log_level, .readable = parts.readable_log}),
      pool_(loop_.get_executor(), clock_, {settings_.worker_executable, temp_.workers_dir()},
            settings_.pool, &log_),
      jobs_(pool_, catalog_, settings_.analyst),
      pack_({.executor = loop_.get_executor(),
             .clock = clock_,
             .log = log_,
             .settings = settings_.analyst,
             .catalog = catalog_,
             .jobs = jobs_},
            std::move(parts.scan)) {}

void AnalystHost::StartLater() {
  pool_.StartSpare();
  pack_.Start();
  temp_.RemoveLeftovers();
}

}  // namespace ducat::app
