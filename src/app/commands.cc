#include "app/commands.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "app/data_paths.h"
#include "app/kernel_features.h"
#include "base/end_signals.h"

namespace ducat::app {
namespace {

struct ExitCode {
  std::string_view reason;
  int code;
};
// Reasons of the start; anything else is an internal or I/O failure.
constexpr std::array kExitCodes{ExitCode{"invalid_usage", kExitUsage},
                                ExitCode{"invalid_setting", kExitUsage},
                                ExitCode{"data_dir_required", kExitUsage},
                                ExitCode{"data_dir_missing", kExitUsage},
                                ExitCode{"data_dir_not_a_directory", kExitUsage},
                                ExitCode{"data_dir_unreadable", kExitUsage},
                                ExitCode{"data_dir_refused", kExitUsage},
                                ExitCode{"db_missing", kExitUsage},
                                ExitCode{"invalid_token_file", kExitUsage},
                                ExitCode{"invalid_key_file", kExitUsage},
                                ExitCode{"invalid_jwks", kExitUsage},
                                ExitCode{"invalid_jwt_secret", kExitUsage},
                                ExitCode{"invalid_certificate", kExitUsage},
                                ExitCode{"unknown_tool", kExitUsage},
                                ExitCode{"saved_queries_disabled", kExitUsage},
                                ExitCode{"worker_unavailable", kExitNoWorker},
                                ExitCode{"engine_version", kExitNoWorker},
                                ExitCode{"engine_lockdown", kExitNoWorker},
                                ExitCode{"sandbox_missing", kExitNoSandbox}};

// For --check these are its finding, not a misuse (analyst.md 1).
constexpr std::array<std::string_view, 4> kBadVerdicts{
    "data_dir_missing", "data_dir_not_a_directory", "data_dir_unreadable", "db_missing"};

// What nobody has set is as wide as `query` needs it.
void WidenLimits(const FlagValues& given, const Environment& environment,
                 analyst::RowLimits& limits) {
  const auto widen = [&](std::string_view flag, int64_t analyst::RowLimits::* limit) {
    if (given.contains(flag) || environment(EnvironmentName(flag))) return;
    limits.*limit = QueryLimits().*limit;
  };
  widen("max-rows", &analyst::RowLimits::max_rows);
  widen("max-cells", &analyst::RowLimits::max_cells);
  widen("max-bytes", &analyst::RowLimits::max_bytes);
  widen("max-cell", &analyst::RowLimits::max_cell);
}

// The tools can be shown without a directory and without a worker.
Result<std::unique_ptr<AnalystHost>> BuildForShow(Settings settings, bool reference_page) {
  if (reference_page) settings.analyst.allow_saved_queries = true;
  return AnalystHost::Build(std::move(settings), false);
}

Result<std::unique_ptr<AnalystHost>> BuildHost(Settings settings, Terminal& terminal) {
  const Environment environment = ProcessEnvironment();
  TRY(ResolveDataPaths(settings));
  TRY_ASSIGN(settings.worker_executable, FindWorker(environment));
  TRY_ASSIGN(std::vector<std::string> missing, ChooseSandbox(AskKernel(), false, settings));
  for (const std::string& warning : settings.warnings) {
    terminal.Err("warning: " + warning + "\n");
  }
  for (const std::string& warning : missing) {
    terminal.Err("warning: " + warning + "\n");
  }
  settings.analyst.notes = std::move(missing);
  HoldEndSignals();  // what is made now is to be cleared up; who runs the loop lets them go
  return AnalystHost::Build(std::move(settings), terminal.err_is_terminal());
}

}  // namespace

Result<int> RunCommand(const CommandLine& line, Terminal& terminal) {
  if (line.command == Command::kShowText) {
    terminal.Out(line.text);
    return kExitOk;
  }
  if (line.command == Command::kToken) return MakeToken(line, terminal);
  TRY_ASSIGN(Settings settings, ResolveSettings(line.flags, ProcessEnvironment()));
  std::ranges::move(MisspeltVariables(ProcessVariableNames()),
                    std::back_inserter(settings.warnings));
  if (line.command == Command::kQuery) {
    WidenLimits(line.flags, ProcessEnvironment(), settings.analyst.limits);
  }
  if (line.command == Command::kInstall) {
    return Install(std::move(settings), line, terminal);
  }
  const bool show = line.command == Command::kTools;
  Result<std::unique_ptr<AnalystHost>> built =
      show ? BuildForShow(std::move(settings), line.markdown)
           : BuildHost(std::move(settings), terminal);
  if (!built && line.check && std::ranges::count(kBadVerdicts, built.error().reason) > 0) {
    (void)ReportFailure(terminal, built.error());
    return kExitFailed;
  }
  TRY_ASSIGN(const std::unique_ptr<AnalystHost> host, std::move(built));
  switch (line.command) {
    case Command::kAnalyst:
      if (line.check) return RunCheck(*host, line, terminal);
      return host->settings().http ? ServeHttp(*host, terminal) : ServeStdio(*host);
    case Command::kServe:
      return ServeHttp(*host, terminal);
    case Command::kQuery:
      return RunQuery(*host, line, terminal);
    case Command::kCall:
      return RunCall(*host, line, terminal);
    case Command::kTools:
      return ShowTools(*host, line, terminal);
    case Command::kInstall:
    case Command::kToken:
    case Command::kShowText:
      break;
  }
  return Internal("a command without a function");
}

int ReportFailure(Terminal& terminal, const Error& error) {
  terminal.Err("ducat: " + error.message + "\n");
  if (!error.hint.empty()) terminal.Err(error.hint + "\n");
  for (const ExitCode& one : kExitCodes) {
    if (one.reason == error.reason) return one.code;
  }
  return kExitFailed;
}

}  // namespace ducat::app
