#pragma once
// JobRun: the life of one call in the pool (guard.md 3.3): waits for its turn, readies the worker,
// sends the job, keeps its deadline, judges how it ended. Lives in the frame of Pool::Run's
// coroutine; destroying it at any point leaves the pool in order. Control thread only.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/cancel.h"
#include "base/task.h"
#include "worker/job_exchange.h"
#include "worker/pool.h"
#include "worker/pool_state.h"
#include "worker/seats.h"
#include "worker/wakeup.h"

namespace ducat::worker {

class JobRun {
 public:
  // Everything given must outlive it.
  JobRun(PoolState& pool, const Binding& binding, const JobRequest& request, CancelToken cancel,
         JobProgress progress);
  JobRun(const JobRun&) = delete;
  JobRun& operator=(const JobRun&) = delete;
  ~JobRun();

  [[nodiscard]] Task<JobResult> Run();

 private:
  using Time = Wakeup::Time;

  // One worker: false when it ended before it began the job, which is then as if never sent.
  [[nodiscard]] Task<bool> Attempt();
  [[nodiscard]] Task<void> WaitForTurn();
  // Until the worker has said READY and knows the catalog.
  [[nodiscard]] Task<void> Prepare();
  [[nodiscard]] Task<void> Greet();
  // Until DONE, or the end of the worker. False: see Attempt.
  [[nodiscard]] Task<bool> Execute();
  [[nodiscard]] Task<void> WaitForEnd();
  // Gives the dead worker back, so that the job can wait for another.
  void LeaveSeat();
  [[nodiscard]] Status SendJob();
  [[nodiscard]] boost::asio::awaitable<void> WaitForReaping(Time limit);
  [[nodiscard]] Result<JobResult> Judge();

  [[nodiscard]] Status CheckTime() const;  // closed, cancelled, or late
  [[nodiscard]] Error StartError() const;
  [[nodiscard]] Error CrashError();
  // Should the worker end with this job?
  [[nodiscard]] bool UsedUp(const JobEnd& end) const;
  void LogEnd(const Error& error) const;
  [[nodiscard]] std::string StagedPath() const;

  PoolState& pool_;
  const Binding& binding_;
  const JobRequest& request_;
  CancelToken cancel_;
  Time deadline_;
  uint64_t id_;
  JobExchange exchange_;
  bool sent_ = false;
  Wakeup turn_;
  WaitingJob waiting_;
  std::shared_ptr<WorkerProcess> process_;  // of waiting_.seat, kept over the closing of the pool
  CancelToken::Subscription subscription_;
};

}  // namespace ducat::worker
