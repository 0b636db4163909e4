#pragma once
// AttackPool: the product's pool over the product's worker, run from plain code, with the memory of
// its workers watched from outside. Owned by main; one thread.

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>

#include "base/clock.h"
#include "worker/pool.h"

namespace ducat::bench {

struct Outcome {
  Result<worker::JobResult> result = worker::JobResult{};
  double ms = 0;
  uint64_t peak_bytes = 0;  // the largest resident size that any worker had meanwhile
};

class AttackPool {
 public:
  // `executable`: ducat-worker. Memory of a worker as in guard.md 16.
  explicit AttackPool(std::string executable, uint64_t temp_limit_bytes);
  ~AttackPool();
  AttackPool(const AttackPool&) = delete;
  AttackPool& operator=(const AttackPool&) = delete;

  // Runs the job "query" to its end.
  [[nodiscard]] Outcome Run(const std::string& sql, const std::string& session,
                            std::chrono::milliseconds timeout);
  using Pending = std::shared_ptr<std::optional<Result<worker::JobResult>>>;
  [[nodiscard]] Pending Begin(const std::string& sql, const std::string& session,
                              std::chrono::milliseconds timeout);
  // Turns the loop until the job has ended, or for a time.
  void Wait(const Pending& pending, uint64_t* peak_bytes = nullptr);
  void Idle(std::chrono::milliseconds time);

 private:
  std::string root_;
  SystemClock clock_;
  boost::asio::io_context io_;
  std::shared_ptr<worker::Binding> binding_;
  std::unique_ptr<worker::Pool> pool_;
};

}  // namespace ducat::bench
