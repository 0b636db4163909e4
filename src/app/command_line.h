#pragma once
// The command line: which command, its flags as text, its other words. The only file that knows the
// parsing library (0.1 ms of a start). Pure; called once by main.

#include <cstdint>
#include <string>
#include <vector>

#include "app/settings.h"
#include "base/result.h"

namespace ducat::app {

enum class Command : uint8_t {
  kShowText,
  kAnalyst,
  kServe,
  kQuery,
  kCall,
  kTools,
  kInstall,
  kToken
};

struct CommandLine {
  Command command = Command::kShowText;
  FlagValues flags;  // of PackFlags and HttpFlags, by name
  bool check = false, json = false, csv = false, markdown = false, print = false;
  // query: the SQL. call: the tool, then its arguments as given. install: the client.
  // token: "new".
  std::vector<std::string> words;
  std::string principal, tenant;    // token new
  std::vector<std::string> scopes;  // token new
  std::string text;                 // kShowText: help or version, finished
};

// Fails with invalid_usage; the message says what is wrong with the line.
[[nodiscard]] Result<CommandLine> ParseCommandLine(int argc, const char* const* argv);

}  // namespace ducat::app
