#pragma once
// JobQueue: calls that wait for a worker, sessions in turn (guard.md 3.1). Holds no call: whoever
// waits owns its WaitingJob and takes it out again when it gives up. Control thread only.

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <string>

#include "base/result.h"
#include "worker/wakeup.h"

namespace ducat::worker {

struct Seat;

struct WaitingJob {
  std::string session;
  std::string key;               // of the binding it needs
  Seat* seat = nullptr;          // set when its turn has come
  std::optional<Error> failure;  // set when its turn came and no worker could be started
  Wakeup* wakeup = nullptr;
};

class JobQueue {
 public:
  JobQueue(size_t waiting_max, size_t session_waiting_max)
      : waiting_max_(waiting_max), session_waiting_max_(session_waiting_max) {}

  // False when the queue, or the session's share of it, is full.
  [[nodiscard]] bool Add(WaitingJob& job);
  void Remove(const WaitingJob& job);

  // The first job, in turn of the sessions and in order within one, that `fits`; it leaves the
  // queue and its session's turn is over. Null when none fits.
  [[nodiscard]] WaitingJob* TakeFirst(const std::function<bool(const WaitingJob&)>& fits);

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] bool HasOtherThan(const std::string& session) const;

 private:
  struct Session {
    std::string name;
    std::deque<WaitingJob*> jobs;
  };
  std::list<Session> sessions_;  // whose turn is next first; never an empty one
  size_t size_ = 0;
  size_t waiting_max_, session_waiting_max_;
};

}  // namespace ducat::worker
