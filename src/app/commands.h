#pragma once
// The commands of `ducat`, one function each: build what the command needs, run it, give its exit
// code (protocol.md 1.2). A failure is a sentence for people and an exit code by its reason. Called
// by main.

#include "app/analyst_host.h"
#include "app/command_line.h"
#include "app/terminal.h"
#include "base/result.h"

namespace ducat::app {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitToolError = 5;
inline constexpr int kExitNoWorker = 70;
inline constexpr int kExitNoSandbox = 78;

[[nodiscard]] Result<int> RunCommand(const CommandLine& line, Terminal& terminal);

// Prints the error on stderr; gives the exit code that its reason stands for.
[[nodiscard]] int ReportFailure(Terminal& terminal, const Error& error);

[[nodiscard]] Result<int> ServeStdio(AnalystHost& host);
[[nodiscard]] Result<int> ServeHttp(AnalystHost& host, Terminal& terminal);
[[nodiscard]] Result<int> RunCheck(AnalystHost& host, const CommandLine& line, Terminal& terminal);
// The row limits of `query`: a person who pipes rows into a file wants them all.
[[nodiscard]] analyst::RowLimits QueryLimits();
[[nodiscard]] Result<int> RunQuery(AnalystHost& host, const CommandLine& line, Terminal& terminal);
[[nodiscard]] Result<int> RunCall(AnalystHost& host, const CommandLine& line, Terminal& terminal);
[[nodiscard]] Result<int> ShowTools(AnalystHost& host, const CommandLine& line, Terminal& terminal);
[[nodiscard]] Result<int> MakeToken(const CommandLine& line, Terminal& terminal);
[[nodiscard]] Result<int> Install(Settings settings, const CommandLine& line, Terminal& terminal);

}  // namespace ducat::app
