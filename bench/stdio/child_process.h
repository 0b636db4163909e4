#pragma once
// A server as a child with pipes on its stdin and stdout, for measuring. Not for the product:
// whatever fails ends the benchmark with a message.

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace ducat::bench {

// What the child has cost so far.
struct StartCost {
  double processor_ms = 0;
  double page_faults = 0;
};

class ChildProcess {
 public:
  // Starts `command` (argv); exits the benchmark with a message when that fails.
  explicit ChildProcess(const std::vector<std::string>& command);
  ~ChildProcess();  // closes its stdin and waits for it
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void Write(std::string_view bytes);
  // The next reply without its newline; empty at end of output. Notifications are passed over.
  [[nodiscard]] std::string ReadReply();
  // Replies that the next reads complete: waits for at least one, gives their number.
  [[nodiscard]] size_t CountReplies();

  [[nodiscard]] double resident_mib() const;  // RSS now
  [[nodiscard]] double cpu_seconds() const;   // user and system time so far, to 10 ms
  [[nodiscard]] StartCost start_cost() const;

 private:
  bool ReadSome();

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  std::string unread_;
};

}  // namespace ducat::bench
