// `ducat analyst --check`: every table and every file that is none, after reading everything.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/aligned_table.h"
#include "app/commands.h"
#include "app/run_to_end.h"
#include "app/setting_values.h"
#include "base/text.h"
#include "json/encode.h"
#include "mcp/text.h"
#include "packs/analyst/check_report.h"

namespace ducat::app {
namespace {

constexpr int kExitSignalled = 128;

// The dataset outlives the task; the context too.
Task<void> LoadEverything(analyst::Dataset& dataset, mcp::CallContext& context) {
  const MonotonicTime never = context.deadline;
  CO_TRY(co_await dataset.Listed(never, context.cancel));
  std::vector<std::string> all;
  co_return co_await dataset.Load(std::move(all), never, context);
}

std::string SettingsLine(const AnalystHost& host) {
  const analyst::AnalystSettings& settings = host.settings().analyst;
  const bool strict = settings.sandbox == worker::Sandbox::kStrict;
  return "max-rows=" + std::to_string(settings.limits.max_rows) +
         " max-cells=" + std::to_string(settings.limits.max_cells) +
         " timeout=" + std::to_string(settings.timeout.count()) +
         "ms extensions=off saved-queries=" + (settings.allow_saved_queries ? "on" : "off") +
         " sandbox=" + (strict ? "strict" : "best-effort") +
         " transport=" + (host.settings().http.has_value() ? "streamable-http" : "stdio") + "\n";
}

std::string Count(const json::Nullable<int64_t>& count) {
  return count.has_value() ? WithThousands(*count) : "-";
}

std::string ForPeople(const analyst::CheckReport& report, const std::string& data_dir) {
  AlignedTable tables({{"table", Align::kLeft},
                       {"kind", Align::kLeft},
                       {"rows", Align::kRight},
                       {"cols", Align::kRight},
                       {"source", Align::kLeft}});
  for (const analyst::CheckedTable& one : report.tables) {
    tables.Row({mcp::SingleLine(one.name), one.kind, Count(one.row_count), Count(one.column_count),
                mcp::SingleLine(one.source)});
  }
  std::string text = tables.Text();
  if (report.tables.empty() && report.problems.empty()) {
    text = "No data files in " + data_dir + ".\n";
  }
  for (const analyst::CheckedFile& one : report.problems) {
    text += one.status + " " + mcp::SingleLine(one.source) + ": " + one.reason;
    if (!one.detail.empty()) text += " (" + mcp::SingleLine(one.detail) + ")";
    text += "\n";
  }
  if (report.other_files > 0) {
    text += WithThousands(report.other_files) + " other files are no data files.\n";
  }
  if (!report.database_problem.empty()) {
    text += "database: " + mcp::SingleLine(report.database_problem) + "\n";
  }
  return text;
}

}  // namespace

Result<int> RunCheck(AnalystHost& host, const CommandLine& line, Terminal& terminal) {
  CancelSource cancel;
  mcp::CallContext context;
  context.cancel = cancel.token();
  context.deadline = MonotonicTime::max() - std::chrono::hours(1);
  context.wants_progress = terminal.err_is_terminal();
  context.progress = [&terminal](double, std::optional<double>, std::string_view message) {
    terminal.Progress(message);
  };
  analyst::Dataset& dataset = host.pack().dataset();
  const Ended<void> ended = RunToEnd(host.loop(), cancel, LoadEverything(dataset, context));
  terminal.EndProgress();
  if (ended.signal != 0) return kExitSignalled + ended.signal;
  if (!ended.result) return Failure(ended.result.error());
  const analyst::CheckReport report = analyst::MakeCheckReport(dataset);
  terminal.Out(line.json ? json::Encode(report) + "\n"
                         : ForPeople(report, host.settings().analyst.data_dir));
  terminal.Err(SettingsLine(host));
  return report.database_problem.empty() ? kExitOk : kExitFailed;
}

}  // namespace ducat::app
