#pragma once
// Terminal: what commands for people write. Owns stdout in every command that is no server; servers
// write to stderr through it alone. A terminal gets ForTerminal of a text, a pipe or file every
// byte. Writing never fails: when stdout is closed the command goes on and ends with its own exit
// code. One per process, built by main; one thread.

#include <string>
#include <string_view>

namespace ducat::app {

// What a terminal would obey or hide (controls, bidirectional and zero-width characters) is shown
// as an escape, what is no UTF-8 as U+FFFD. Lines and tabs stay; CR LF becomes a plain line end.
[[nodiscard]] std::string ForTerminal(std::string_view text);

class Terminal {
 public:
  Terminal();

  void Out(std::string_view text);
  void Err(std::string_view text);
  // A line on stderr that replaces itself; nothing unless stderr is a terminal.
  void Progress(std::string_view line);
  void EndProgress();

  [[nodiscard]] bool out_is_terminal() const { return out_is_terminal_; }
  [[nodiscard]] bool err_is_terminal() const { return err_is_terminal_; }

 private:
  bool out_is_terminal_, err_is_terminal_;
  bool progress_shown_ = false;
};

}  // namespace ducat::app
