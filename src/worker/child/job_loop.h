#pragma once
// JobLoop: what a worker does after READY: a reader thread takes frames and attends to deadlines,
// this thread applies catalogs and runs jobs, one at a time, by name. The one place in the worker
// where foreign exceptions are caught. Starts its thread after the cage is closed.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "worker/child/channel.h"
#include "worker/child/guard/guard.h"
#include "worker/child/job.h"
#include "worker/child/job_watch.h"
#include "worker/child/mounted_catalog.h"
#include "worker/child/state_watch.h"
#include "worker/job_message.h"

namespace ducat::worker::child {

class JobLoop {
 public:
  JobLoop(Channel& channel, const Hello& hello, engine::Connection& connection,
          std::vector<JobEntry> jobs);

  // Until the control process closes the socket or breaks the protocol, which ends the process.
  [[noreturn]] void Run();

 private:
  struct Order {
    FrameKind kind;
    uint64_t job;
    std::string payload;
  };

  void ReadFrames();
  [[nodiscard]] Status Take(const Frame& frame);
  [[nodiscard]] Order NextOrder();
  void ApplyCatalog(const std::string& payload);
  void RunJob(const Order& order);
  [[nodiscard]] Result<std::string> Call(const JobEntry& entry, JobContext& context,
                                         json::View arguments);
  [[nodiscard]] Result<std::string> CallGuarded(const JobEntry& entry, JobContext& context,
                                                json::View arguments);
  // True when the worker goes on.
  [[nodiscard]] bool SendEnd(uint64_t job, Result<std::string> result);
  void CheckState();

  Channel& channel_;
  const Hello& hello_;
  engine::Connection& connection_;
  std::vector<JobEntry> jobs_;
  MountedCatalog catalog_;
  StateWatch state_;
  guard::Guard guard_;
  JobWatch watch_;
  std::mutex inbox_mutex_;
  std::condition_variable inbox_filled_;
  std::deque<Order> inbox_;
};

}  // namespace ducat::worker::child
