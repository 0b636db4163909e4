#include "app/terminal.h"

#include <cerrno>
#include <unistd.h>

#include "mcp/text.h"

namespace ducat::app {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

void WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace

std::string ForTerminal(std::string_view text) {
  std::string lines;
  lines.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\r\n")) continue;
    lines += text[i];
  }
  return mcp::CleanForDisplay(lines);
}

Terminal::Terminal()
    : out_is_terminal_(isatty(STDOUT_FILENO) == 1), err_is_terminal_(isatty(STDERR_FILENO) == 1) {}

void Terminal::Out(std::string_view text) {
  EndProgress();
  if (!out_is_terminal_) return WriteAll(STDOUT_FILENO, text);
  WriteAll(STDOUT_FILENO, ForTerminal(text));
}

void Terminal::Err(std::string_view text) {
  EndProgress();
  if (!err_is_terminal_) return WriteAll(STDERR_FILENO, text);
  WriteAll(STDERR_FILENO, ForTerminal(text));
}

void Terminal::Progress(std::string_view line) {
  if (!err_is_terminal_) return;
  WriteAll(STDERR_FILENO, std::string(kClearLine).append(mcp::SingleLine(line)));
  progress_shown_ = true;
}

void Terminal::EndProgress() {
  if (!progress_shown_) return;
  WriteAll(STDERR_FILENO, kClearLine);
  progress_shown_ = false;
}

}  // namespace ducat::app
