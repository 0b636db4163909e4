#pragma once
// PoolState: what the calls of a pool share: seats, the queue, the quarantine. Hands free seats to
// waiting jobs. Control thread only; shared between the Pool and its running calls.

#include <cstdint>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "base/clock.h"
#include "base/log.h"
#include "worker/job_queue.h"
#include "worker/pool.h"
#include "worker/quarantine.h"
#include "worker/seats.h"

namespace ducat::worker {

struct PoolState {
  PoolState(boost::asio::any_io_executor executor_in, const Clock& clock, WorkerPaths paths,
            PoolLimits limits_in, Log* log_in);
  PoolState(const PoolState&) = delete;
  PoolState& operator=(const PoolState&) = delete;

  // Gives seats to waiting jobs as long as one fits.
  void Dispatch();
  // Kills every worker; waiting and running calls end with `cancelled`.
  void Close();

  boost::asio::any_io_executor executor;
  PoolLimits limits;
  Log* log;
  JobQueue queue;
  Quarantine quarantine;
  std::optional<Seats> seats;  // empty when closed
  std::optional<Ready> last_ready;
  uint64_t last_job = 0;
};

}  // namespace ducat::worker
