#pragma once
// PoolFixture: a pool over real, confined probe workers, on an io_context of its own. Owns the
// pool, its temporary root and the workers; each test gets a fresh one.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/log.h"
#include "json/view.h"
#include "worker/pool.h"

namespace ducat::worker {

// A data directory as a pack would bind it.
class TestBinding final : public Binding {
 public:
  TestBinding(std::string key, Hello hello) : hello_(std::move(hello)), key_(std::move(key)) {}
  [[nodiscard]] const std::string& key() const override { return key_; }
  [[nodiscard]] Hello hello() const override { return hello_; }
  [[nodiscard]] uint64_t version() const override { return version_; }
  [[nodiscard]] CatalogDelta DeltaFrom(uint64_t version) const override;

  Hello hello_;
  uint64_t version_ = 1;
  std::vector<std::string> files_;
  std::optional<uint64_t> delta_from_;    // a wrong version to start from
  mutable std::vector<uint64_t> deltas_;  // versions that were asked from

 private:
  std::string key_;
};

class PoolFixture : public ::testing::Test {
 protected:
  PoolFixture();
  ~PoolFixture() override;

  // The pool of the test, made at first use from `limits_` and `worker_`.
  Pool& pool();
  [[nodiscard]] std::shared_ptr<TestBinding> MakeBinding(const std::string& key);
  // Runs one job to its end, on the binding of the fixture.
  Result<JobResult> Run(JobRequest request, CancelToken cancel = {});
  Result<JobResult> RunNamed(const std::string& name, std::string arguments = "{}");
  // Starts a job; `*result` is set when it ends. Spin() runs the loop until then.
  std::shared_ptr<std::optional<Result<JobResult>>> Begin(JobRequest request,
                                                          CancelToken cancel = {});
  void SpinUntil(const std::function<bool()>& done,
                 std::chrono::milliseconds limit = std::chrono::seconds(30));
  // A call of "echo" answers, and by a worker that the pool started without help.
  void ExpectNextCallWorks();
  // Counters of a job that must succeed, parsed; `document_` owns them until the next call.
  json::View Counters(const std::string& name, std::string arguments = "{}");
  // A sanitizer build maps terabytes and has other signal handlers: some limits can only be shown
  // with a worker built without. Changes to one; false when there is none.
  [[nodiscard]] bool UsePlainWorker();
  [[nodiscard]] std::vector<std::string> PrivateDirs() const;
  [[nodiscard]] std::vector<pid_t> Children() const;

  std::string root_;    // holds data/, temp/, other/
  std::string worker_;  // executable
  PoolLimits limits_;
  ManualClock clock_;
  std::vector<std::string> log_lines_;
  std::unique_ptr<Log> log_;
  std::shared_ptr<TestBinding> binding_;
  boost::asio::io_context io_;
  std::unique_ptr<Pool> pool_;
  JobProgress progress_;
  json::Document document_;
  uint64_t jobs_ = 0;  // begun; the number of the last one in frames
};

}  // namespace ducat::worker
