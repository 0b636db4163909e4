#pragma once
// JobRunner: how the pack's tools reach the workers. One implementation sends jobs to the pool
// (worker_jobs.h); tests answer without a process. Control thread only.

#include <string>

#include "base/cancel.h"
#include "base/task.h"
#include "worker/pool.h"

namespace ducat::analyst {

class JobRunner {
 public:
  virtual ~JobRunner() = default;
  // Reads tables of the current catalog.
  [[nodiscard]] virtual Task<worker::JobResult> Query(worker::JobRequest request,
                                                      CancelToken cancel,
                                                      worker::JobProgress progress) = 0;
  // Reads a source file and may leave a staged file.
  [[nodiscard]] virtual Task<worker::JobResult> Ingest(worker::JobRequest request,
                                                       CancelToken cancel,
                                                       worker::JobProgress progress) = 0;
};

}  // namespace ducat::analyst
