#pragma once
// ProgressReporter: notifications/progress of one request (protocol.md 10): strictly increasing,
// 100 ms apart, the newest wins; after 10 s of silence the last one again, minimally increased, so
// that clients do not give up. Owned by its request; stops with it. Control thread only.

#include <functional>
#include <optional>
#include <string>

#include "mcp/timer_queue.h"

namespace ducat::mcp {

inline constexpr std::chrono::milliseconds kProgressInterval{100};
inline constexpr std::chrono::seconds kProgressSilence{10};

class ProgressReporter {
 public:
  // `token` is raw JSON. `send` takes a finished notification.
  ProgressReporter(TimerQueue& timers, std::string token, bool with_message,
                   std::function<void(std::string)> send);
  ~ProgressReporter();
  ProgressReporter(const ProgressReporter&) = delete;
  ProgressReporter& operator=(const ProgressReporter&) = delete;

  // Values that do not rise above the last one are dropped.
  void Report(double progress, std::optional<double> total, std::string_view message);
  // No more of it, before the reply goes out.
  void Stop();

 private:
  struct Step {
    double progress = 0;
    std::optional<double> total;
    std::string message;
  };
  void Send(Step step);
  void Repeat();
  void Wake(MonotonicTime due);

  TimerQueue& timers_;
  std::string token_;
  bool with_message_;
  std::function<void(std::string)> send_;
  std::optional<Step> last_;
  std::optional<Step> waiting_;
  MonotonicTime last_sent_;
  TimerQueue::Entry timer_;
  bool stopped_ = false;
};

}  // namespace ducat::mcp
