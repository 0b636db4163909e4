#pragma once
// Settings of a pack command: from flag, DUCAT_ variable, the reference servers' variable, default,
// in this order (protocol.md 1.3). A value that is not allowed stops the start with its name, the
// value and what is allowed. Plain values; computed once by main.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/http_settings.h"
#include "base/log.h"
#include "base/result.h"
#include "mcp/limits.h"
#include "packs/analyst/settings.h"
#include "transport/stdio_limits.h"
#include "worker/pool.h"

namespace ducat::app {

enum class SandboxMode : uint8_t { kAuto, kStrict, kBestEffort };

struct AuditSettings {
  std::string path;       // empty: no audit log
  std::string key;        // of the digests; empty: none
  bool required = false;  // calls are refused while the file cannot be written
};

struct Settings {
  analyst::AnalystSettings analyst;
  worker::PoolLimits pool;
  mcp::Limits protocol;
  std::string request_state_key;  // empty: one of the process
  transport::StdioLimits stdio;
  AuditSettings audit;
  LogLevel log_level = LogLevel::kInfo;
  SandboxMode sandbox = SandboxMode::kAuto;
  std::optional<HttpSettings> http;   // set: serve HTTP, not stdio
  std::string http_host, http_port;   // as the reference servers name them; empty: not given
  std::string home;                   // $DUCAT_HOME; empty: nowhere
  std::string worker_executable;      // absolute
  std::vector<std::string> warnings;  // lines for stderr at the start
};

inline constexpr std::string_view kOrdinaryGroup;

// Which commands a flag changes anything of; others refuse it and do not show it.
enum class FlagScope : uint8_t {
  kEverything,  // also what `tools` shows
  kCalls,       // all that read data: analyst, serve, query, call, install
  kServers,     // analyst, serve, install
  kStdio,       // analyst, install
  kListening    // analyst, serve
};

// One flag of the pack commands. `apply` gets the text as given ("true" for a switch).
struct Flag {
  std::string_view name;   // "max-rows"
  std::string_view value;  // how help shows the value; empty: a switch
  std::string_view help;
  std::string_view reference_env;  // empty: none; several: separated by blanks
  bool repeatable = false;
  Status (*apply)(std::string_view value, Settings& settings) = nullptr;
  bool optional_value = false;              // may stand alone
  std::string_view group = kOrdinaryGroup;  // heading in the help
  FlagScope scope = FlagScope::kCalls;
};

// In the order of help.
[[nodiscard]] std::span<const Flag> PackFlags();
// Those of the HTTP transport; they count only where Settings::http is set.
[[nodiscard]] std::span<const Flag> HttpFlags();

using FlagValues = std::map<std::string, std::vector<std::string>, std::less<>>;
using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Fails with invalid_setting.
[[nodiscard]] Result<Settings> ResolveSettings(const FlagValues& given,
                                               const Environment& environment);

// The process's environment; empty values and unexpanded "${...}" count as unset.
[[nodiscard]] Environment ProcessEnvironment();

// A warning for each of our variables that no flag has, but nearly: it would be ignored unseen.
[[nodiscard]] std::vector<std::string> MisspeltVariables(std::span<const std::string> names);
[[nodiscard]] std::vector<std::string> ProcessVariableNames();

// "max-rows" -> "DUCAT_MAX_ROWS".
[[nodiscard]] std::string EnvironmentName(std::string_view flag);

}  // namespace ducat::app
