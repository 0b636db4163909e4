#include "worker/pool_state.h"

#include <utility>

#include "worker/private_dir.h"

namespace ducat::worker {

PoolState::PoolState(boost::asio::any_io_executor executor_in, const Clock& clock,
                     WorkerPaths paths, PoolLimits limits_in, Log* log_in)
    : executor(std::move(executor_in)),
      limits(limits_in),
      log(log_in),
      queue(limits.queue_max, limits.queue_session_max),
      quarantine(clock) {
  const size_t leftovers = RemoveLeftovers(paths.temp_root);
  if (leftovers > 0 && log != nullptr) {
    log->Write(LogLevel::kNotice, "removed directories of dead processes",
               {{"count", std::to_string(leftovers)}});
  }
  seats.emplace(executor, std::move(paths), limits, log);
  seats->set_on_change([this] { Dispatch(); });
}

void PoolState::Dispatch() {
  if (!seats) return;
  const auto fits = [this](const WaitingJob& job) {
    return seats->HasRoom(job.session, queue.HasOtherThan(job.session));
  };
  while (WaitingJob* job = queue.TakeFirst(fits)) {
    Result<Seat*> seat = seats->Take(job->session, job->key);
    if (seat) {
      job->seat = *seat;
    } else {
      job->failure = std::move(seat).error();
    }
    job->wakeup->Notify();
  }
}

void PoolState::Close() {
  if (!seats) return;
  seats->set_on_change(nullptr);
  seats.reset();
  while (const WaitingJob* job = queue.TakeFirst([](const WaitingJob&) { return true; })) {
    job->wakeup->Notify();
  }
}

}  // namespace ducat::worker
