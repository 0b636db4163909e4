#pragma once
// DucatProcess: one run of the real executable with pipes on its three descriptors, in an
// environment of its own (HOME and TMPDIR in a scratch folder). Every wait has an end; the process
// is killed with the object. One thread.

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "support/scratch_folder.h"

namespace ducat::testing {

// Generous: sanitizers and other builds on the same machine make everything slower.
inline constexpr std::chrono::seconds kPatience{60};

class DucatProcess {
 public:
  explicit DucatProcess(std::vector<std::string> arguments,
                        std::vector<std::string> environment = {});
  ~DucatProcess();
  DucatProcess(const DucatProcess&) = delete;
  DucatProcess& operator=(const DucatProcess&) = delete;

  void Send(std::string_view line);  // a newline is added
  void SendRaw(std::string_view bytes);
  void CloseInput();
  void CloseOutput();  // as a client that went away
  void Signal(int number) const;
  // The next whole line of stdout; nothing at its end or when patience ends.
  [[nodiscard]] std::optional<std::string> ReadLine(std::chrono::milliseconds patience = kPatience);
  // The next line that holds `part`; lines before it are skipped.
  [[nodiscard]] std::string ReadLineWith(std::string_view part);
  // Send, then the line that answers `id`.
  [[nodiscard]] std::string Ask(std::string_view id, std::string_view method,
                                std::string_view params = "{}");
  [[nodiscard]] std::string CallTool(std::string_view id, std::string_view tool,
                                     std::string_view arguments);
  void Handshake();

  // Closes stdin, reads the rest and waits. 128 + n for a signal, -1 when it had to be killed.
  [[nodiscard]] int WaitForExit();
  [[nodiscard]] std::string RestOfOutput();
  [[nodiscard]] std::string Errors();
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const ScratchFolder& home() const { return home_; }

 private:
  [[nodiscard]] bool Fill(std::chrono::milliseconds patience);
  void DrainErrors();

  ScratchFolder home_;
  pid_t pid_ = -1;
  int in_ = -1, out_ = -1, err_ = -1;
  std::string buffered_, errors_;
  bool out_ended_ = false;
};

// `environment` and what every run gets: HOME and TMPDIR below `home`, PATH, the sanitizers'
// options.
[[nodiscard]] std::vector<std::string> RunEnvironment(const ScratchFolder& home,
                                                      std::vector<std::string> environment);

// A command run to its end.
struct Finished {
  int exit_code = 0;
  std::string out, err;
};
[[nodiscard]] Finished RunDucat(std::vector<std::string> arguments,
                                std::vector<std::string> environment = {});

}  // namespace ducat::testing
