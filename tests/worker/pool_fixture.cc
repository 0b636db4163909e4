#include "worker/pool_fixture.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <unistd.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace ducat::worker {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProbe = "/ducat-probe-worker";

std::string WorkerPath() {
  if (const char* folder = std::getenv("DUCAT_TEST_WORKER_DIR"); folder != nullptr) {
    return folder + std::string(kProbe);
  }
  return fs::read_symlink("/proc/self/exe").parent_path().string() + kProbe;
}

std::string MakeRoot() {
  std::string path = (fs::temp_directory_path() / "ducat-worker-test-XXXXXX").string();
  CHECK(mkdtemp(path.data()) != nullptr);
  return fs::canonical(path).string();
}

boost::asio::awaitable<void> Await(Task<JobResult> task,
                                   std::shared_ptr<std::optional<Result<JobResult>>> result) {
  Result<JobResult> value = co_await std::move(task);
  *result = std::move(value);
}

}  // namespace

CatalogDelta TestBinding::DeltaFrom(uint64_t version) const {
  deltas_.push_back(version);
  return CatalogDelta{
      .from_version = delta_from_.value_or(version), .version = version_, .files = files_};
}

PoolFixture::PoolFixture() : root_(MakeRoot()), worker_(WorkerPath()) {
  for (const char* folder : {"/data", "/temp", "/other"})
    fs::create_directory(root_ + folder);
  fs::permissions(root_ + "/temp", fs::perms::owner_all);
  std::ofstream(root_ + "/data/orders.csv") << "id\n1\n2\n";
  std::ofstream(root_ + "/other/secret.csv") << "id\n3\n";
  fs::create_symlink(root_ + "/other/secret.csv", root_ + "/data/link.csv");
  log_ = std::make_unique<Log>(
      clock_, LogOptions{.sink = [this](std::string_view line) { log_lines_.emplace_back(line); }});
  binding_ = MakeBinding("data");
}

PoolFixture::~PoolFixture() {
  pool_.reset();
  io_.restart();
  io_.poll();
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

Pool& PoolFixture::pool() {
  if (pool_ == nullptr) {
    pool_ = std::make_unique<Pool>(io_.get_executor(), clock_,
                                   WorkerPaths{worker_, root_ + "/temp"}, limits_, log_.get());
  }
  return *pool_;
}

std::shared_ptr<TestBinding> PoolFixture::MakeBinding(const std::string& key) {
  Hello hello{.data_dir = root_ + "/data", .threads = 2};
  return std::make_shared<TestBinding>(key, std::move(hello));
}

std::shared_ptr<std::optional<Result<JobResult>>> PoolFixture::Begin(JobRequest request,
                                                                     CancelToken cancel) {
  auto result = std::make_shared<std::optional<Result<JobResult>>>();
  ++jobs_;
  if (request.rows_bytes_max == 0) request.rows_bytes_max = 1 << 20;
  if (request.text_bytes_max == 0) request.text_bytes_max = 1 << 20;
  boost::asio::co_spawn(
      io_, Await(pool().Run(binding_, std::move(request), std::move(cancel), progress_), result),
      boost::asio::detached);
  return result;
}

void PoolFixture::SpinUntil(const std::function<bool()>& done, std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  io_.restart();
  while (!done()) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "the loop did not get there in time";
    io_.restart();
    io_.run_one_for(std::chrono::milliseconds(50));
  }
}

Result<JobResult> PoolFixture::Run(JobRequest request, CancelToken cancel) {
  const auto result = Begin(std::move(request), std::move(cancel));
  SpinUntil([&] { return result->has_value(); });
  if (!*result) return Internal("the job did not end");
  return std::move(**result);
}

Result<JobResult> PoolFixture::RunNamed(const std::string& name, std::string arguments) {
  JobRequest request{.name = name, .arguments = std::move(arguments)};
  return Run(std::move(request));
}

void PoolFixture::ExpectNextCallWorks() {
  const Result<JobResult> next = RunNamed("echo", R"({"after":1})");
  ASSERT_TRUE(next.has_value()) << next.error().reason << ": " << next.error().message;
  EXPECT_EQ(next->meta, R"({"after":1})");
}

json::View PoolFixture::Counters(const std::string& name, std::string arguments) {
  const Result<JobResult> result = RunNamed(name, std::move(arguments));
  if (!result) {
    ADD_FAILURE() << name << ": " << result.error().reason << ": " << result.error().message;
    return {};
  }
  const Result<json::View> view = document_.Parse(result->counters);
  CHECK(view.has_value());
  return *view;
}

bool PoolFixture::UsePlainWorker() {
#ifdef DUCAT_SANITIZED
  if (std::getenv("DUCAT_TEST_WORKER_DIR") != nullptr) return true;
  const char* release = std::getenv("DUCAT_RELEASE_DIR");
  if (release == nullptr) return false;
  worker_ = release + std::string("/bin") + kProbe;
  return fs::exists(worker_);
#else
  return true;
#endif
}

std::vector<std::string> PoolFixture::PrivateDirs() const {
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(root_ + "/temp"))
    paths.push_back(entry.path());
  return paths;
}

std::vector<pid_t> PoolFixture::Children() const {
  std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
  std::vector<pid_t> pids;
  for (pid_t pid = 0; file >> pid;)
    pids.push_back(pid);
  return pids;
}

}  // namespace ducat::worker
