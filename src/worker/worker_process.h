#pragma once
// WorkerProcess: one ducat-worker from its start to its reaping, as the pool sees it: writes
// frames, reads and bounds what comes back, kills, removes the private directory at the end. It
// decides nothing about when a worker is used. Control thread only; shared between the pool and its
// own pending reads, which outlive a kill by one turn of the loop.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/frame.h"
#include "worker/hello.h"
#include "worker/job_exchange.h"
#include "worker/oom_kills.h"
#include "worker/private_dir.h"
#include "worker/spawn.h"
#include "worker/stderr_tail.h"
#include "worker/wakeup.h"

namespace ducat::worker {

// Why the pool ended a worker; kNone: it ended by itself.
enum class KillCause : uint8_t {
  kNone,
  kDeadline,
  kCancel,
  kFrame,       // broke the protocol
  kReady,       // did not become ready in time
  kConnection,  // closed its socket and stayed alive
  kRetired,     // idle, used up, or in doubt after a job
};

// What a process holds now; zeros when it cannot be read.
struct MemoryUse {
  uint64_t resident = 0;
  uint64_t mapped = 0;
  uint64_t mapped_max = 0;  // its limit; 0: none
};

class WorkerProcess : public std::enable_shared_from_this<WorkerProcess> {
 public:
  struct Exit {
    int signal = 0;  // 0: exited with `code`
    int code = 0;
  };

  // Called once, when the process has been reaped and its directory is gone.
  using OnEnd = std::function<void(WorkerProcess&)>;

  [[nodiscard]] static Result<std::shared_ptr<WorkerProcess>> Start(
      const boost::asio::any_io_executor& executor, const std::string& executable,
      const std::string& temp_root, OnEnd on_end);
  WorkerProcess(const boost::asio::any_io_executor& executor, SpawnedWorker spawned,
                PrivateDir directory, OnEnd on_end);
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;
  ~WorkerProcess();

  // Frames out; queued, never blocking. `hello` gets this worker's private directory.
  // Each fails with reason "invalid_arguments" when it is too large for a frame; then nothing was
  // sent.
  [[nodiscard]] Status SendHello(Hello hello);
  [[nodiscard]] Status SendCatalog(const CatalogDelta& delta);
  // `exchange` takes what comes back until it is done; EndJob must come before it dies.
  [[nodiscard]] Status SendJob(uint64_t job, const JobOrder& order, JobExchange& exchange);
  void SendCancel(uint64_t job);
  void EndJob() { exchange_ = nullptr; }

  // SIGKILL; the first cause counts. The process is reaped in the background.
  void Kill(KillCause cause);
  // SIGKILL and wait for the end, at most for a second (shutdown).
  void KillNow();

  // Notified on READY, on frames that end a job, and at the end.
  [[nodiscard]] Wakeup& wakeup() { return wakeup_; }
  [[nodiscard]] const std::optional<Ready>& ready() const { return ready_; }
  // What the worker said instead of READY: engine_version, engine_lockdown, ...
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  [[nodiscard]] bool alive() const { return !exit_ && stream_open(); }
  // More frames may come; also true of one that has ended while its last bytes are still to be
  // read.
  [[nodiscard]] bool stream_open() const { return connected_ && kill_cause_ == KillCause::kNone; }
  [[nodiscard]] bool greeted() const { return greeted_; }
  // Reaped, its directory gone.
  [[nodiscard]] bool finished() const { return !directory_; }
  [[nodiscard]] const std::optional<Exit>& exit() const { return exit_; }
  [[nodiscard]] KillCause kill_cause() const { return kill_cause_; }
  [[nodiscard]] const std::string& frame_fault() const { return frame_fault_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const std::string& private_path() const { return private_path_; }
  [[nodiscard]] std::string stderr_tail() const { return stderr_.tail(); }
  [[nodiscard]] MemoryUse memory() const;
  // Whether a SIGKILL that is not ours may be the kernel's: it has killed for want of memory since
  // this process started, or does not say.
  [[nodiscard]] bool MayBeOutOfMemory() const;

 private:
  void Watch();
  void ReadFrames();
  void ReadStderr();
  void WaitForExit();
  void PollForExit();
  [[nodiscard]] Status Accept(const Frame& frame);
  [[nodiscard]] Status AcceptGreeting(const Frame& frame);
  [[nodiscard]] Status Send(FrameKind kind, uint64_t job, std::string_view payload);
  void WriteNext();
  void OnDisconnect();
  bool Reap();
  void Finish();

  pid_t pid_;
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::posix::stream_descriptor stderr_end_;
  boost::asio::posix::stream_descriptor pidfd_;
  boost::asio::steady_timer timer_;  // exit polling, and the patience after a disconnect
  Wakeup wakeup_;
  std::optional<PrivateDir> directory_;  // gone when finished
  std::string private_path_;
  OnEnd on_end_;

  std::vector<char> buffer_;
  FrameDecoder decoder_{FrameDirection::kFromWorker};
  std::deque<std::string> outgoing_;
  StderrTail stderr_;
  JobExchange* exchange_ = nullptr;
  bool connected_ = true;
  bool greeted_ = false;
  std::optional<Ready> ready_;
  std::optional<Error> refusal_;
  std::optional<Exit> exit_;
  KillCause kill_cause_ = KillCause::kNone;
  std::optional<uint64_t> oom_kills_before_ = ReadOomKills();
  std::string frame_fault_;
};

}  // namespace ducat::worker
