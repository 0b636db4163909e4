#include "attack_pool.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "worker/sql_attacks.h"

namespace ducat::bench {
namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

class EmptyBinding final : public worker::Binding {
 public:
  explicit EmptyBinding(worker::Hello hello) : hello_(std::move(hello)) {}
  [[nodiscard]] const std::string& key() const override { return key_; }
  [[nodiscard]] worker::Hello hello() const override { return hello_; }
  [[nodiscard]] uint64_t version() const override { return 1; }
  [[nodiscard]] worker::CatalogDelta DeltaFrom(uint64_t from) const override {
    return {.from_version = from, .version = 1};
  }

 private:
  worker::Hello hello_;
  std::string key_ = "attacks";
};

std::string MakeRoot() {
  std::string path = (fs::temp_directory_path() / "ducat-attacks-XXXXXX").string();
  CHECK(mkdtemp(path.data()) != nullptr);
  path = fs::canonical(path);
  for (const char* folder : {"/data", "/temp"})
    fs::create_directory(path + folder);
  fs::permissions(path + "/temp", fs::perms::owner_all);
  return path;
}

// VmHWM of the largest child.
uint64_t PeakOfChildren() {
  uint64_t peak = 0;
  const std::string self = std::to_string(getpid());
  std::ifstream children("/proc/self/task/" + self + "/children");
  for (pid_t pid = 0; children >> pid;) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (!line.starts_with("VmHWM:")) continue;
      peak = std::max<uint64_t>(peak, std::strtoull(line.c_str() + 6, nullptr, 10) * 1024);
    }
  }
  return peak;
}

boost::asio::awaitable<void> Await(Task<worker::JobResult> task, AttackPool::Pending result) {
  Result<worker::JobResult> value = co_await std::move(task);
  *result = std::move(value);
}

}  // namespace

AttackPool::AttackPool(std::string executable, uint64_t temp_limit_bytes) : root_(MakeRoot()) {
  worker::Hello hello{.data_dir = root_ + "/data",
                      .memory_limit_bytes = uint64_t{1} << 30,
                      .temp_limit_bytes = temp_limit_bytes,
                      .threads = 2};
  binding_ = std::make_shared<EmptyBinding>(std::move(hello));
  worker::WorkerPaths paths{.executable = std::move(executable), .temp_root = root_ + "/temp"};
  pool_ = std::make_unique<worker::Pool>(io_.get_executor(), clock_, std::move(paths),
                                         worker::PoolLimits{});
  pool_->StartSpare();
}

AttackPool::~AttackPool() {
  pool_.reset();
  io_.restart();
  io_.poll();
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

AttackPool::Pending AttackPool::Begin(const std::string& sql, const std::string& session,
                                      std::chrono::milliseconds timeout) {
  worker::JobRequest request{.name = "query",
                             .arguments = worker::QueryArguments(sql),
                             .timeout = timeout,
                             .rows_bytes_max = 1 << 20,
                             .text_bytes_max = 1 << 20,
                             .session = session,
                             .statement = sql};
  auto pending = std::make_shared<std::optional<Result<worker::JobResult>>>();
  boost::asio::co_spawn(io_, Await(pool_->Run(binding_, std::move(request), {}), pending),
                        boost::asio::detached);
  return pending;
}

void AttackPool::Wait(const Pending& pending, uint64_t* peak_bytes) {
  while (!pending->has_value()) {
    io_.restart();
    io_.run_one_for(std::chrono::milliseconds(10));
    if (peak_bytes != nullptr) *peak_bytes = std::max(*peak_bytes, PeakOfChildren());
  }
}

void AttackPool::Idle(std::chrono::milliseconds time) {
  io_.restart();
  io_.run_for(time);
}

Outcome AttackPool::Run(const std::string& sql, const std::string& session,
                        std::chrono::milliseconds timeout) {
  Outcome outcome;
  const auto begun = Steady::now();
  const Pending pending = Begin(sql, session, timeout);
  Wait(pending, &outcome.peak_bytes);
  outcome.ms = std::chrono::duration<double, std::milli>(Steady::now() - begun).count();
  outcome.result = std::move(**pending);
  return outcome;
}

}  // namespace ducat::bench
