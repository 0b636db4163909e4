#include "base/log.h"

#include <array>
#include <cerrno>
#include <unistd.h>
#include <unordered_map>
#include <utility>

#include "base/hidden_characters.h"
#include "base/text.h"

namespace ducat {
namespace {

constexpr std::array<std::string_view, 9> kNames{
    "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "silent"};
constexpr int kEqualLinesPerWindow = 10;
constexpr std::chrono::minutes kWindow{1};
constexpr size_t kKeysMax = 1'024;  // distinct lines remembered per window

void AppendJsonText(std::string& out, std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  out.push_back('"');
  for (const char c : RepairUtf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (byte < 0x20 || byte == 0x7f) {
      out.append("\\u00").push_back(kDigits[byte >> 4U]);
      out.push_back(kDigits[byte & 15U]);
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
}

// A number for whoever counts with it. Only digits without leading zeros are one in JSON.
bool IsDuration(const LogField& field) {
  constexpr size_t kDigitsMax = 15;
  const std::string_view text = field.text;
  return field.key == "ms" && text.size() <= kDigitsMax &&
         text.find_first_not_of("0123456789") == text.npos && (text[0] != '0' || text.size() == 1);
}

std::string JsonLine(WallTime time, LogLevel level, std::string_view message,
                     std::initializer_list<LogField> fields) {
  std::string line = "{\"ts\":\"" + Iso8601UtcMillis(time) + "\",\"level\":\"";
  line.append(Name(level)).append("\",\"msg\":");
  AppendJsonText(line, message);
  for (const LogField& field : fields) {
    if (field.text.empty()) continue;
    line.append(",\"").append(field.key).append("\":");
    if (IsDuration(field)) {
      line.append(field.text);
    } else {
      AppendJsonText(line, field.text);
    }
  }
  line.push_back('}');
  return line;
}

// A terminal obeys control characters and hides others, so each is a dot.
void AppendVisible(std::string& out, std::string_view text) {
  const std::string valid = RepairUtf8(text);
  for (std::string_view rest = valid; !rest.empty();) {
    const std::string_view character = rest.substr(0, NextUtf8(rest).length);
    out.append(IsHiddenCharacter(CodePointOf(character)) ? "." : character);
    rest.remove_prefix(character.size());
  }
}

std::string ReadableLine(WallTime time, LogLevel level, std::string_view message,
                         std::initializer_list<LogField> fields) {
  std::string line = Iso8601Utc(time).substr(11, 8) + " ";
  line.append(Name(level)).append("  ");
  AppendVisible(line, message);
  for (const LogField& field : fields) {
    if (field.text.empty()) continue;
    line.append("  ").append(field.key).append("=");
    AppendVisible(line, field.text);
  }
  return line;
}

// One write a line. Nobody can be told when it fails.
void WriteToStderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = write(STDERR_FILENO, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return;
    text.remove_prefix(static_cast<size_t>(put));
  }
}

// What makes two lines equal: everything but when, how long and for which request.
std::string Key(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(level)));
  key.append(message);
  for (const LogField& field : fields) {
    if (field.key == "rid" || field.key == "ms" || field.key == "trace") continue;
    key.append(1, '\0').append(field.key).append(1, '=').append(field.text);
  }
  return key;
}

}  // namespace

std::string_view Name(LogLevel level) {
  return kNames[static_cast<size_t>(level)];
}

std::optional<LogLevel> ParseLogLevel(std::string_view text) {
  if (text == "warn") return LogLevel::kWarning;
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

struct Log::Impl {
  const Clock& clock;
  LogOptions options;
  MonotonicTime window_start;
  struct Repeats {
    int count = 0;
    std::string line;  // the last one that was held back
  };
  std::unordered_map<std::string, Repeats> repeats;

  void Emit(const std::string& line) {
    if (options.sink) return options.sink(line);
    WriteToStderr(line + "\n");
  }

  void EndWindow() {
    const auto ended = std::exchange(repeats, {});
    for (const auto& [key, entry] : ended) {
      if (entry.count <= kEqualLinesPerWindow) continue;
      const std::string count = std::to_string(entry.count - kEqualLinesPerWindow);
      Emit(options.readable
               ? entry.line + "  repeated=" + count
               : entry.line.substr(0, entry.line.size() - 1) + ",\"repeated\":" + count + "}");
    }
  }
};

Log::Log(const Clock& clock, LogOptions options)
    : level_(options.level),
      impl_(std::make_unique<Impl>(
          Impl{.clock = clock, .options = std::move(options), .repeats = {}})) {}

Log::~Log() {
  impl_->EndWindow();
}

void Log::Write(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!Enabled(level) || level == LogLevel::kSilent) return;
  Impl& impl = *impl_;
  const MonotonicTime now = impl.clock.Now();
  if (now - impl.window_start >= kWindow || impl.repeats.size() >= kKeysMax) {
    impl.EndWindow();
    impl.window_start = now;
  }
  std::string line = impl.options.readable ? ReadableLine(impl.clock.Wall(), level, message, fields)
                                           : JsonLine(impl.clock.Wall(), level, message, fields);
  Impl::Repeats& repeats = impl.repeats[Key(level, message, fields)];
  if (++repeats.count <= kEqualLinesPerWindow) {
    impl.Emit(line);
  } else {
    repeats.line = std::move(line);
  }
}

}  // namespace ducat
