#include "app/settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <thread>
#include <unistd.h>
#include <utility>

#include "app/limit_flags.h"
#include "app/setting_values.h"
#include "base/atomic_file.h"
#include "base/text.h"

namespace ducat::app {
namespace {

constexpr int64_t kMostRows = 1'000'000;
constexpr int64_t kAnyWhole = std::numeric_limits<int32_t>::max();
constexpr int64_t kMostWorkers = 64;
constexpr int64_t kMostThreads = 64;
constexpr std::string_view kVariablePrefix = "DUCAT_";
// Where the reference server listens: whoever asks for HTTP in its words has clients of it.
constexpr std::string_view kReferencePort = "8000";
constexpr uint64_t kMiB = uint64_t{1} << 20;

// Whole numbers of the row limits share one function each.
template <int64_t analyst::RowLimits::* Member, int64_t Most>
Status ApplyRowLimit(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.analyst.limits.*Member, ParseWhole(value, 1, Most));
  return {};
}

template <uint64_t analyst::AnalystSettings::* Member>
Status ApplyBytes(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.analyst.*Member, ParseBytes(value, 64 * kMiB));
  return {};
}

Status ApplyData(std::string_view value, Settings& settings) {
  settings.analyst.data_dir = value;
  return {};
}
Status ApplyDb(std::string_view value, Settings& settings) {
  settings.analyst.db_file = value;
  return {};
}
Status ApplyTransport(std::string_view value, Settings& settings) {
  constexpr std::array<std::string_view, 3> kTransports{"stdio", "http", "streamable-http"};
  TRY_ASSIGN(const size_t kind, ParseChoice(value, kTransports));
  if (kind > 0) settings.http.emplace();
  if (kind == 2) settings.http_port = kReferencePort;
  return {};
}
Status ApplyHost(std::string_view value, Settings& settings) {
  settings.http_host = value;
  return {};
}
Status ApplyPort(std::string_view value, Settings& settings) {
  settings.http_port = value;
  return {};
}
Status ApplyTimeout(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.analyst.timeout, ParseSeconds(value, 0.1, 3600));
  return {};
}
Status ApplyLoadTimeout(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.analyst.load_timeout, ParseSeconds(value, 1, 86'400));
  return {};
}
Status ApplyGrace(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const int64_t ms, ParseWhole(value, 0, 60'000));
  settings.analyst.grace = settings.pool.grace = std::chrono::milliseconds(ms);
  return {};
}
Status ApplyThreads(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const int64_t threads, ParseWhole(value, 1, kMostThreads));
  settings.analyst.threads = static_cast<int>(threads);
  return {};
}
Status ApplyWorkers(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const int64_t workers, ParseWhole(value, 1, kMostWorkers));
  settings.analyst.workers = settings.pool.workers = static_cast<int>(workers);
  return {};
}
Status ApplyMaxFileBytes(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.analyst.scan.file_bytes_max, ParseBytes(value, 1));
  return {};
}
Status ApplySandbox(std::string_view value, Settings& settings) {
  constexpr std::array<std::string_view, 3> kModes{"auto", "strict", "best-effort"};
  TRY_ASSIGN(const size_t mode, ParseChoice(value, kModes));
  settings.sandbox = static_cast<SandboxMode>(mode);
  return {};
}
Status ApplyResultFormat(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const size_t format, ParseChoice(value, json::EnumNames<analyst::RowFormat>::kNames));
  settings.analyst.result_format = static_cast<analyst::RowFormat>(format);
  return {};
}
Status ApplyInclude(std::string_view value, Settings& settings) {
  settings.analyst.scan.include.emplace_back(value);
  return {};
}
Status ApplyExclude(std::string_view value, Settings& settings) {
  settings.analyst.scan.exclude.emplace_back(value);
  return {};
}
Status ApplySavedQueries(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.analyst.allow_saved_queries, ParseSwitch(value));
  return {};
}
Status ApplySavedQueriesFile(std::string_view value, Settings& settings) {
  settings.analyst.saved_queries_file = value;
  return {};
}
Status ApplyExtensions(std::string_view value, Settings& settings) {
  TRY_ASSIGN(const bool allow, ParseSwitch(value));
  if (allow) {
    settings.warnings.emplace_back(
        "--allow-extensions changes nothing: the engine loads no extensions.");
  }
  return {};
}
// At least as long as what is signed with it. It is a secret, so it is never shown.
Status CheckKey(const std::string& key) {
  constexpr size_t kLeastBytes = 32;
  if (key.size() >= kLeastBytes) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "expected a key of at least 32 bytes, not " + std::to_string(key.size()));
}
template <auto Key>
Status ApplyKeyFile(std::string_view value, Settings& settings) {
  constexpr size_t kMostBytes = 64 << 10;
  const auto text = ReadSmallFile(std::string(value), kMostBytes);
  if (!text || !text->has_value()) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
                "expected a file of at most 64 KiB that can be read");
  }
  std::string key(Trim(**text));
  TRY(CheckKey(key));
  Key(settings) = std::move(key);
  return {};
}
std::string& RequestStateKey(Settings& settings) {
  return settings.request_state_key;
}
std::string& AuditKey(Settings& settings) {
  return settings.audit.key;
}
Status ApplyAuditLog(std::string_view value, Settings& settings) {
  if (value.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting", "expected a file's path");
  }
  settings.audit.path = value;
  return {};
}
Status ApplyAuditRequired(std::string_view value, Settings& settings) {
  TRY_ASSIGN(settings.audit.required, ParseSwitch(value));
  return {};
}
Status ApplyLogLevel(std::string_view value, Settings& settings) {
  const std::optional<LogLevel> level = ParseLogLevel(AsciiLower(Trim(value)));
  if (!level.has_value()) {
    return Fail(
        ErrorCode::kInvalidArgument, "invalid_setting",
        "expected debug, info, notice, warning, error, critical, alert, emergency or silent");
  }
  settings.log_level = *level;
  return {};
}

using Limits = analyst::RowLimits;
using Analyst = analyst::AnalystSettings;

constexpr std::array kPackFlags{
    Flag{"data", "DIR", "directory of data files, scanned recursively", "", false, &ApplyData},
    Flag{"db", "FILE", "DuckDB database file, attached read-only as db", "", false, &ApplyDb},
    Flag{"transport", "KIND", "stdio, http, or streamable-http (port 8000); stdio, of serve: http",
         "MCP_TRANSPORT_TYPE", false, &ApplyTransport, false, kOrdinaryGroup,
         FlagScope::kListening},
    Flag{"host", "ADDRESS", "with HTTP: the address; 127.0.0.1", "MCP_HTTP_HOST", false, &ApplyHost,
         false, kOrdinaryGroup, FlagScope::kListening},
    Flag{"port", "N", "with HTTP: the port, 0 for any; 8931", "MCP_HTTP_PORT", false, &ApplyPort,
         false, kOrdinaryGroup, FlagScope::kListening},
    Flag{"max-rows", "N", "most rows of one result; 500", "", false,
         &ApplyRowLimit<&Limits::max_rows, kMostRows>},
    Flag{"max-cells", "N", "most rows x columns of one result; 20000", "", false,
         &ApplyRowLimit<&Limits::max_cells, kAnyWhole>},
    Flag{"max-bytes", "N", "most bytes of rows in one result; 32768", "", false,
         &ApplyRowLimit<&Limits::max_bytes, kAnyWhole>},
    Flag{"max-cell", "N", "characters shown of one cell; 1000", "", false,
         &ApplyRowLimit<&Limits::max_cell, kAnyWhole>},
    Flag{"timeout-s", "S",
         "deadline of one call in seconds; 30. Of a server also 55, 300 with progress, tasks none",
         "", false, &ApplyTimeout},
    Flag{"load-timeout-s", "S", "deadline of reading one file; 600", "", false, &ApplyLoadTimeout},
    Flag{"grace-ms", "MS", "from interrupt to kill; 500", "", false, &ApplyGrace},
    Flag{"memory-limit", "SIZE", "memory of one worker; 2GiB", "", false,
         &ApplyBytes<&Analyst::memory_limit_bytes>},
    Flag{"temp-limit", "SIZE", "spill files of one worker; 4GiB", "", false,
         &ApplyBytes<&Analyst::temp_limit_bytes>},
    Flag{"threads", "N", "threads of one worker; the cores, at most 4", "", false, &ApplyThreads},
    Flag{"workers", "N", "worker processes at a time; 2", "", false, &ApplyWorkers},
    Flag{"sandbox", "MODE", "auto, strict or best-effort", "", false, &ApplySandbox},
    Flag{"max-file-bytes", "SIZE", "larger files are skipped; 16GiB", "", false,
         &ApplyMaxFileBytes},
    Flag{"include", "GLOB",
         "only files whose path in DIR matches; without /: whose name. ** crosses /", "", true,
         &ApplyInclude},
    Flag{"exclude", "GLOB", "not files whose path in DIR matches; wins over --include", "", true,
         &ApplyExclude},
    Flag{"allow-saved-queries", "", "offer save_query and list_saved_queries", "", false,
         &ApplySavedQueries, false, kOrdinaryGroup, FlagScope::kEverything},
    Flag{"saved-queries", "FILE", "where saved queries are kept; the state directory", "", false,
         &ApplySavedQueriesFile},
    Flag{"result-format", "FORM", "default of query.format: rows, markdown or both", "", false,
         &ApplyResultFormat, false, kOrdinaryGroup, FlagScope::kEverything},
    Flag{"allow-extensions", "", "accepted for compatibility, changes nothing", "", false,
         &ApplyExtensions},
    Flag{"request-state-key-file", "FILE", "key that replicas share for open questions; random", "",
         false, &ApplyKeyFile<&RequestStateKey>, false, kOrdinaryGroup, FlagScope::kServers},
    Flag{"audit-log", "FILE", "append a line of JSON for every call; off", "", false,
         &ApplyAuditLog, false, kOrdinaryGroup, FlagScope::kServers},
    Flag{"audit-key-file", "FILE", "key of the digests in the audit log; none", "", false,
         &ApplyKeyFile<&AuditKey>, false, kOrdinaryGroup, FlagScope::kServers},
    Flag{"audit-required", "", "refuse calls while the audit log cannot be written", "", false,
         &ApplyAuditRequired, false, kOrdinaryGroup, FlagScope::kServers},
    Flag{"log-level", "LEVEL", "debug to emergency, or silent; info", "MCP_LOG_LEVEL", false,
         &ApplyLogLevel},
};

constexpr auto kFlags = [] {
  std::array<Flag, kPackFlags.size() + kLimitFlags.size()> all{};
  std::ranges::copy(kLimitFlags, std::ranges::copy(kPackFlags, all.begin()).out);
  return all;
}();

Status ApplyNamed(const Flag& flag, std::string_view shown, std::string_view value,
                  Settings& settings) {
  Status applied = flag.apply(value, settings);
  if (applied) return {};
  Error error = std::move(applied).error();
  error.message = std::string(shown) + " \"" + std::string(value) + "\": " + error.message + ".";
  return Failure(std::move(error));
}

// From the command line, else from the first variable that is set.
Status ApplyFlags(std::span<const Flag> flags, const FlagValues& given,
                  const Environment& environment, Settings& settings) {
  for (const Flag& flag : flags) {
    const auto values = given.find(flag.name);
    if (values != given.end() && !values->second.empty()) {
      const std::string shown = "--" + std::string(flag.name);
      for (const std::string& value : values->second) {
        TRY(ApplyNamed(flag, shown, value, settings));
      }
      continue;
    }
    const std::string names = EnvironmentName(flag.name).append(" ").append(flag.reference_env);
    for (std::string_view rest = names; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      const std::optional<std::string> value = environment(name);
      if (!value.has_value()) continue;
      TRY(ApplyNamed(flag, name, *value, settings));
      break;
    }
  }
  return {};
}

// Said by flag, so that a variable of HTTP does not count.
Result<bool> WantsStdio(const FlagValues& given) {
  const auto transport = given.find("transport");
  if (transport == given.end()) return false;
  if (!EqualsIgnoringCase(transport->second.front(), "stdio")) return false;
  if (!given.contains("http")) return true;
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "--transport stdio contradicts HTTP, which --http and ducat serve ask for.",
              "Leave one out; ducat analyst without --http serves on stdio.");
}

// The reference servers name host and port apart; --http, which names both, comes after and wins.
Status ApplyHostAndPort(const FlagValues& given, Settings& settings) {
  const bool by_flag = given.contains("host") || given.contains("port");
  if (!settings.http.has_value()) {
    if (!by_flag) return {};
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
                "--host and --port are for HTTP, but the transport is stdio.",
                "Add --transport streamable-http, or say --http ADDRESS:PORT.");
  }
  std::string host = settings.http_host;
  if (host.empty() && settings.http_port.empty()) return {};
  const std::string default_address(transport::kDefaultHttpAddress);
  const size_t colon = default_address.find(':');
  if (host.empty()) host = default_address.substr(0, colon);
  if (host.find(':') != std::string::npos && !host.starts_with('[')) host = "[" + host + "]";
  const std::string port =
      settings.http_port.empty() ? default_address.substr(colon + 1) : settings.http_port;
  auto parsed = transport::ParseListenAddress(host + ":" + port);
  if (!parsed) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
                std::string(by_flag ? "--host, --port: " : "MCP_HTTP_HOST, MCP_HTTP_PORT: ") +
                    parsed.error().message,
                parsed.error().hint);
  }
  settings.http->address = host + ":" + port;
  return {};
}

Status RefuseHttpFlags(const FlagValues& given) {
  for (const Flag& flag : HttpFlags()) {
    if (!given.contains(flag.name)) continue;
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
                "--" + std::string(flag.name) + " does nothing on stdio.",
                "It is one of HTTP's: add --http.");
  }
  return {};
}

// Secrets never come from flags, which every process of the machine can read.
void ApplySecrets(const Environment& environment, HttpSettings& http) {
  for (const std::string_view name : {"DUCAT_JWT_SECRET", "MCP_AUTH_SECRET_KEY"}) {
    if (http.jwt.secret.empty()) http.jwt.secret = environment(name).value_or("");
  }
}

Status CheckAudit(const AuditSettings& audit) {
  if (!audit.path.empty() || (audit.key.empty() && !audit.required)) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "--audit-key-file and --audit-required are for an audit log, and there is none.",
              "Add --audit-log FILE.");
}

std::string HomeDirectory(const Environment& environment) {
  if (auto home = environment("DUCAT_HOME")) return *home;
  if (auto data = environment("XDG_DATA_HOME")) return *data + "/ducat";
  if (auto user = environment("HOME")) return *user + "/.local/share/ducat";
  return "";
}

}  // namespace

std::span<const Flag> PackFlags() {
  return kFlags;
}

std::string EnvironmentName(std::string_view flag) {
  std::string name = std::string(kVariablePrefix) + AsciiUpper(flag);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<std::string> MisspeltVariables(std::span<const std::string> names) {
  std::vector<std::string> known{"DUCAT_HOME", "DUCAT_WORKER"};
  for (const auto& flags : {PackFlags(), HttpFlags()}) {
    for (const Flag& flag : flags) {
      known.push_back(EnvironmentName(flag.name));
    }
  }
  std::vector<std::string> warnings;
  for (const std::string& name : names) {
    if (!name.starts_with(kVariablePrefix)) continue;
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::vector<std::string> near = NearNames(name, known, 1);
    if (near.empty()) continue;
    warnings.push_back("The variable " + name +
                       " is ignored: there is no such flag. Did you mean " + near.front() + "?");
  }
  return warnings;
}

std::vector<std::string> ProcessVariableNames() {
  std::vector<std::string> names;
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string_view variable = *one;
    names.emplace_back(variable.substr(0, variable.find('=')));
  }
  return names;
}

Environment ProcessEnvironment() {
  return [](std::string_view name) -> std::optional<std::string> {
    // Read before the first thread starts.
    const char* value = std::getenv(std::string(name).c_str());  // NOLINT(concurrency-mt-unsafe)
    if (value == nullptr || *value == '\0' || std::string_view(value).starts_with("${")) return {};
    return std::string(value);
  };
}

Result<Settings> ResolveSettings(const FlagValues& given, const Environment& environment) {
  Settings settings;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  settings.analyst.threads = static_cast<int>(std::min(4U, cores));
  TRY(ApplyFlags(kFlags, given, environment, settings));
  TRY_ASSIGN(const bool stdio, WantsStdio(given));
  if (!stdio && (given.contains("http") || environment(EnvironmentName("http")))) {
    settings.http.emplace();
  }
  TRY(ApplyHostAndPort(given, settings));
  if (settings.http) ApplySecrets(environment, *settings.http);
  TRY(settings.http ? ApplyFlags(HttpFlags(), given, environment, settings)
                    : RefuseHttpFlags(given));
  // The reference servers take the key itself.
  if (auto key = environment("MCP_REQUEST_STATE_KEY"); key && settings.request_state_key.empty()) {
    if (const Status fits = CheckKey(*key); !fits) {
      return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
                  "MCP_REQUEST_STATE_KEY: " + fits.error().message + ".");
    }
    settings.request_state_key = *std::move(key);
  }
  TRY(CheckAudit(settings.audit));
  settings.home = HomeDirectory(environment);
  return settings;
}

}  // namespace ducat::app
