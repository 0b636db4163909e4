#pragma once
// Pool: runs jobs in confined worker processes (guard.md 3). Keeps one unbound spare, binds a
// worker to a Binding for its life, queues fairly by session, interrupts and kills at the deadline,
// retires what misbehaved. The only place that starts or kills processes. Control thread only;
// owned by the app.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/task.h"
#include "worker/catalog.h"
#include "worker/hello.h"

namespace ducat::worker {

// What a worker is bound to: one data directory or one canvas. Implemented by a pack; outlives its
// jobs.
class Binding {
 public:
  virtual ~Binding() = default;
  // Equal keys share workers.
  [[nodiscard]] virtual const std::string& key() const = 0;
  // Everything of HELLO but private_dir, which the pool makes.
  [[nodiscard]] virtual Hello hello() const = 0;
  // Current catalog version; a worker that knows an older one gets the delta before its next job.
  [[nodiscard]] virtual uint64_t version() const = 0;
  [[nodiscard]] virtual CatalogDelta DeltaFrom(uint64_t version) const = 0;
};

struct JobRequest {
  std::string name;              // "query", "profile_table", ...
  std::string arguments = "{}";  // JSON object
  std::chrono::milliseconds timeout{30'000};
  // ROWS beyond this plus one row, TEXT beyond this plus one piece: the worker is dropped. With 0
  // the job must send none.
  uint64_t rows_bytes_max = 0;
  uint64_t text_bytes_max = 0;
  std::string session = "local";  // for fair queueing
  std::string statement;          // SQL text or file: quarantined when it kills workers twice
};

struct JobResult {
  std::string meta;      // JSON object of META; empty when none came
  std::string rows;      // checked: elements of a JSON array without the brackets
  std::string text;      // checked: inside of a JSON string
  std::string counters;  // JSON object of DONE
  // ingest: absolute path of <private>/out.tmp when the job left one. The file is the caller's: it
  // renames it into place or removes it before it returns to the loop.
  std::string staged_file;
};

using JobProgress = std::function<void(double done, double total, std::string_view text)>;

struct PoolLimits {
  int workers = 2;        // bound at a time (--workers)
  size_t queue_max = 32;  // waiting jobs
  size_t queue_session_max = 16;
  std::chrono::milliseconds grace{500};  // --grace-ms
  std::chrono::milliseconds ready_timeout{5'000};
  std::chrono::milliseconds idle_timeout{60'000};
  std::chrono::milliseconds last_idle_timeout{600'000};
  uint64_t jobs_per_worker_max = 10'000;
};

struct WorkerPaths {
  std::string executable;  // ducat-worker, absolute
  std::string temp_root;   // existing 0700 directory for the private directories of the workers
};

class Pool {
 public:
  // What dead processes left in `temp_root` is removed. `log` gets the ends of workers with what
  // they wrote to stderr; null: nobody reads them.
  Pool(boost::asio::any_io_executor executor, const Clock& clock, WorkerPaths paths,
       PoolLimits limits, Log* log = nullptr);
  // Kills every worker; calls that still run end with `cancelled` at the next turn of the loop.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // Starts the unbound spare; called after the first reply has been written.
  void StartSpare();

  // Runs one job to its end. Reasons of its own: query_timeout, cancelled, memory_limit,
  // temp_limit, worker_crashed, quarantined, overloaded, worker_unavailable, engine_version,
  // engine_lockdown; further ones are the job's. After any of them the next call works.
  [[nodiscard]] Task<JobResult> Run(std::shared_ptr<const Binding> binding, JobRequest request,
                                    CancelToken cancel, JobProgress progress = {});

  // Ends the workers bound to `key` when they are idle (a --db file was replaced).
  void Retire(const std::string& key);

  // Jobs that wait for a worker.
  [[nodiscard]] size_t waiting() const;

  // READY of the newest worker, for notes and doctor; null before the first.
  [[nodiscard]] const Ready* last_ready() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;  // shared with the calls that run
};

}  // namespace ducat::worker
