#include "worker/worker_process.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

#include "json/decode.h"
#include "json/encode.h"
#include "json/view.h"

namespace ducat::worker {
namespace {

namespace asio = boost::asio;
using ErrorOf = boost::system::error_code;

constexpr size_t kReadBytes = size_t{256} << 10;
constexpr std::chrono::milliseconds kExitPoll{5};        // without pidfd
constexpr std::chrono::milliseconds kExitPatience{200};  // between end of stream and SIGKILL
constexpr std::chrono::milliseconds kShutdownPatience{1'000};

}  // namespace

Result<std::shared_ptr<WorkerProcess>> WorkerProcess::Start(const asio::any_io_executor& executor,
                                                            const std::string& executable,
                                                            const std::string& temp_root,
                                                            OnEnd on_end) {
  TRY_ASSIGN(PrivateDir directory, PrivateDir::Create(temp_root));
  TRY_ASSIGN(SpawnedWorker spawned, SpawnWorker(executable));
  auto worker = std::make_shared<WorkerProcess>(executor, std::move(spawned), std::move(directory),
                                                std::move(on_end));
  worker->Watch();
  return worker;
}

WorkerProcess::WorkerProcess(const asio::any_io_executor& executor, SpawnedWorker spawned,
                             PrivateDir directory, OnEnd on_end)
    : pid_(spawned.pid),
      socket_(executor, asio::local::stream_protocol(), spawned.socket.Release()),
      stderr_end_(executor, spawned.stderr_end.Release()),
      pidfd_(executor),
      timer_(executor),
      wakeup_(executor),
      directory_(std::move(directory)),
      private_path_(directory_->path()),
      on_end_(std::move(on_end)),
      buffer_(kReadBytes) {
  if (spawned.pidfd.valid()) pidfd_.assign(spawned.pidfd.Release());
}

WorkerProcess::~WorkerProcess() {
  on_end_ = nullptr;
  KillNow();
}

void WorkerProcess::Watch() {
  ReadFrames();
  ReadStderr();
  WaitForExit();
}

void WorkerProcess::ReadFrames() {
  socket_.async_read_some(
      asio::buffer(buffer_), [self = shared_from_this()](ErrorOf error, size_t bytes) {
        if (!self->connected_) return;
        if (error) return self->OnDisconnect();
        const Status status =
            self->decoder_.Feed(std::string_view(self->buffer_.data(), bytes),
                                [&](const Frame& frame) { return self->Accept(frame); });
        if (!status) {
          self->frame_fault_ = status.error().message;
          return self->Kill(KillCause::kFrame);
        }
        self->ReadFrames();
      });
}

void WorkerProcess::ReadStderr() {
  stderr_end_.async_wait(
      asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](ErrorOf error) {
        std::array<char, 4'096> bytes;
        const size_t count = error ? 0 : self->stderr_end_.read_some(asio::buffer(bytes), error);
        if (error == asio::error::would_block) return self->ReadStderr();
        // A worker that floods its stderr loses it: reading on would cost everybody.
        if (error || !self->stderr_.Append(std::string_view(bytes.data(), count))) {
          self->stderr_end_.close(error);
          return;
        }
        self->ReadStderr();
      });
}

void WorkerProcess::WaitForExit() {
  if (!pidfd_.is_open()) return PollForExit();
  pidfd_.async_wait(asio::posix::stream_descriptor::wait_read,
                    [self = shared_from_this()](ErrorOf error) {
                      if (error) return;
                      if (!self->Reap()) self->WaitForExit();
                    });
}

void WorkerProcess::PollForExit() {
  auto poll = std::make_unique<asio::steady_timer>(timer_.get_executor(), kExitPoll);
  asio::steady_timer& timer = *poll;
  timer.async_wait([self = shared_from_this(), poll = std::move(poll)](ErrorOf error) {
    if (!error && !self->Reap()) self->PollForExit();
  });
}

bool WorkerProcess::Reap() {
  if (exit_) return true;
  int status = 0;
  const pid_t reaped = waitpid(pid_, &status, WNOHANG);
  if (reaped == 0 || (reaped < 0 && errno == EINTR)) return false;
  exit_ = Exit{};
  if (reaped == pid_ && WIFSIGNALED(status)) exit_->signal = WTERMSIG(status);
  if (reaped == pid_ && WIFEXITED(status)) exit_->code = WEXITSTATUS(status);
  // What it wrote before it ended is still in the socket; the end of the stream finishes.
  if (!connected_) Finish();
  return true;
}

void WorkerProcess::OnDisconnect() {
  if (!std::exchange(connected_, false)) return;
  ErrorOf ignored;
  socket_.close(ignored);
  outgoing_.clear();
  if (exit_) return Finish();
  timer_.expires_after(kExitPatience);
  timer_.async_wait([self = shared_from_this()](ErrorOf error) {
    if (!error) self->Kill(KillCause::kConnection);
  });
}

void WorkerProcess::Kill(KillCause cause) {
  if (exit_ || kill_cause_ != KillCause::kNone) return;
  kill_cause_ = cause;
  kill(pid_, SIGKILL);
  if (std::exchange(connected_, false)) {
    ErrorOf ignored;
    socket_.close(ignored);
  }
  wakeup_.Notify();
}

void WorkerProcess::KillNow() {
  Kill(KillCause::kRetired);
  const auto limit = std::chrono::steady_clock::now() + kShutdownPatience;
  while (!Reap() && std::chrono::steady_clock::now() < limit) {
    usleep(1'000);
  }
  if (directory_) Finish();
}

void WorkerProcess::Finish() {
  ErrorOf ignored;
  connected_ = false;
  timer_.cancel();
  socket_.close(ignored);
  pidfd_.close(ignored);
  stderr_end_.close(ignored);
  directory_.reset();
  wakeup_.Notify();
  if (const OnEnd on_end = std::exchange(on_end_, nullptr)) on_end(*this);
}

Status WorkerProcess::Accept(const Frame& frame) {
  if (greeted_ && !ready_ && !refusal_) return AcceptGreeting(frame);
  if (exchange_ == nullptr) {
    return Fail(ErrorCode::kInternal, "frame_error",
                std::string(FrameName(frame.header.kind)) + " while no job runs");
  }
  TRY(exchange_->Accept(frame));
  if (exchange_->done()) wakeup_.Notify();
  return {};
}

Status WorkerProcess::AcceptGreeting(const Frame& frame) {
  const bool ready = frame.header.kind == FrameKind::kReady;
  if (frame.header.job != 0 || (!ready && frame.header.kind != FrameKind::kDone)) {
    return Fail(ErrorCode::kInternal, "frame_error",
                std::string(FrameName(frame.header.kind)) + " before READY");
  }
  json::Document document;
  TRY_ASSIGN(const json::View view, document.Parse(frame.payload));
  if (ready) {
    TRY_ASSIGN(ready_, json::Decode<Ready>(view));
  } else {
    TRY_ASSIGN(JobEnd end, json::Decode<JobEnd>(view));
    refusal_ = end.error ? ToError(std::move(*end.error)) : Internal("DONE before READY").value();
  }
  wakeup_.Notify();
  return {};
}

Status WorkerProcess::SendHello(Hello hello) {
  hello.private_dir = private_path_;
  greeted_ = true;
  return Send(FrameKind::kHello, 0, json::Encode(hello));
}

Status WorkerProcess::SendCatalog(const CatalogDelta& delta) {
  return Send(FrameKind::kCatalog, 0, json::Encode(delta));
}

Status WorkerProcess::SendJob(uint64_t job, const JobOrder& order, JobExchange& exchange) {
  TRY(Send(FrameKind::kJob, job, json::Encode(order)));
  exchange_ = &exchange;
  return {};
}

void WorkerProcess::SendCancel(uint64_t job) {
  const Status sent = Send(FrameKind::kCancel, job, {});
  CHECK(sent.has_value());
}

Status WorkerProcess::Send(FrameKind kind, uint64_t job, std::string_view payload) {
  if (payload.size() > kFramePayloadMax) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_arguments",
                "The arguments have " + std::to_string(payload.size()) + " bytes; the limit is " +
                    std::to_string(kFramePayloadMax) + ".",
                "Send less text.");
  }
  if (!connected_) return {};
  outgoing_.push_back(EncodeFrame(kind, job, payload));
  if (outgoing_.size() == 1) WriteNext();
  return {};
}

void WorkerProcess::WriteNext() {
  asio::async_write(socket_, asio::buffer(outgoing_.front()),
                    [self = shared_from_this()](ErrorOf error, size_t) {
                      if (!self->connected_) return;
                      // The reading side notices a broken connection with more knowledge.
                      if (error) return;
                      self->outgoing_.pop_front();
                      if (!self->outgoing_.empty()) self->WriteNext();
                    });
}

bool WorkerProcess::MayBeOutOfMemory() const {
  const std::optional<uint64_t> now = ReadOomKills();
  return !now || !oom_kills_before_ || *now != *oom_kills_before_;
}

MemoryUse WorkerProcess::memory() const {
  const std::string path = "/proc/" + std::to_string(pid_) + "/statm";
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (file == nullptr) return {};
  unsigned long long mapped = 0, resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &mapped, &resident);
  std::fclose(file);
  if (fields != 2) return {};
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  MemoryUse use{.resident = resident * page, .mapped = mapped * page};
  rlimit limit{};
  if (prlimit(pid_, RLIMIT_AS, nullptr, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    use.mapped_max = limit.rlim_cur;
  }
  return use;
}

}  // namespace ducat::worker
