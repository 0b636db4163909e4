#pragma once
// Log: what operators read, on stderr, never stdout. One JSON object a line, or a readable form on
// a terminal. Built by main and handed down by reference; control thread only. Equal lines (same
// level, message and fields, whatever their request) come through ten times a minute, then as a
// count. No arguments, rows or SQL at info; tokens at no level. Writing never fails: a line that
// stderr does not take is lost.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace ducat {

// RFC 5424, as MCP uses them; kSilent is above all.
enum class LogLevel : uint8_t {
  kDebug,
  kInfo,
  kNotice,
  kWarning,
  kError,
  kCritical,
  kAlert,
  kEmergency,
  kSilent
};
[[nodiscard]] std::string_view Name(LogLevel level);
// "debug" … "emergency", also "warn" and "silent"; nothing for other texts.
[[nodiscard]] std::optional<LogLevel> ParseLogLevel(std::string_view text);

// One member of a line. Fields with empty text are left out.
struct LogField {
  std::string_view key;
  std::string_view text;
};

struct LogOptions {
  LogLevel level = LogLevel::kInfo;
  bool readable = false;  // true on a terminal
  // Takes finished lines instead of stderr (tests).
  std::function<void(std::string_view line)> sink;
};

class Log {
 public:
  Log(const Clock& clock, LogOptions options);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  [[nodiscard]] bool Enabled(LogLevel level) const { return level >= level_; }
  void Write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

 private:
  struct Impl;
  LogLevel level_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ducat
