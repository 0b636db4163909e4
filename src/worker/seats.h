#pragma once
// Seats: the workers of a pool and who may use which (guard.md 3.1). A seat is a worker process
// with what the pool knows of it; the unbound spare is one without a key. Decides placement, never
// waits. Control thread only; owned by the pool's state.

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/log.h"
#include "base/result.h"
#include "worker/job_queue.h"
#include "worker/pool.h"
#include "worker/worker_process.h"

namespace ducat::worker {

struct Seat {
  using Time = std::chrono::steady_clock::time_point;

  std::shared_ptr<WorkerProcess> process;
  std::string key;      // empty: unbound
  std::string session;  // of the running job
  bool busy = false;
  bool retire = false;  // end it when the running job is over
  uint64_t catalog_version = 0;
  uint64_t jobs = 0;
  uint64_t address_space_bytes = 0;  // its cap
  Time idle_since;
};

class Seats {
 public:
  Seats(boost::asio::any_io_executor executor, WorkerPaths paths, const PoolLimits& limits,
        Log* log);
  ~Seats();  // kills every worker and waits for the ends
  Seats(const Seats&) = delete;
  Seats& operator=(const Seats&) = delete;

  // Called when a worker has ended or a seat became free.
  void set_on_change(std::function<void()> on_change) { on_change_ = std::move(on_change); }

  // From now on there shall be a spare.
  void KeepSpare();
  // Starts the spare that is missing; called when a worker has just become ready, so that the two
  // starts do not compete for the processor.
  void RefillSpare();

  // May a job of this session start now? `others_wait`: another session has a job waiting.
  [[nodiscard]] bool HasRoom(const std::string& session, bool others_wait) const;
  // The seat it gets: an idle one of its key, else the spare or a new worker, bound to `key`. Only
  // after HasRoom. Fails with worker_unavailable when none can be started.
  [[nodiscard]] Result<Seat*> Take(const std::string& session, const std::string& key);
  // Gives a seat back after a job; one whose worker is no longer alive, or marked `retire`, is
  // ended.
  void Release(Seat& seat);
  // Ends idle workers of `key`, and busy ones after their job.
  void Retire(const std::string& key);

 private:
  [[nodiscard]] Result<Seat*> Start();
  [[nodiscard]] Seat* FindIdle(const std::string& key);
  [[nodiscard]] Seat* FindSpare();
  [[nodiscard]] int BusyCount() const;
  [[nodiscard]] int BoundCount() const;
  void EvictLongestIdle();
  void End(Seat& seat);
  void OnEnd(const WorkerProcess& process);
  void LogIdleEnd(const WorkerProcess& process) const;
  void ScheduleSweep();
  void EndIdle();
  [[nodiscard]] Seat::Time DueTime(const Seat& seat, Seat::Time now) const;

  boost::asio::any_io_executor executor_;
  WorkerPaths paths_;
  PoolLimits limits_;
  Log* log_;
  std::function<void()> on_change_;
  bool keep_spare_ = false;
  boost::asio::steady_timer sweep_;
  std::list<Seat> seats_;
  // Killed, not reaped yet; out of every count.
  std::list<std::shared_ptr<WorkerProcess>> ending_;
  std::shared_ptr<bool> living_ = std::make_shared<bool>(true);  // for the timer's handler
};

}  // namespace ducat::worker
