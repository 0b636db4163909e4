#pragma once
// WorkerJobs: the pack's jobs in the worker pool. Owns the two bindings of a data directory:
// `query` workers follow the catalog, `ingest` workers know the source files only and may write
// their staging directory. What a query finds unreadable the catalog is told. Control thread only;
// catalog, settings and pool outlive it.

#include <memory>

#include "packs/analyst/catalog.h"
#include "packs/analyst/job_runner.h"
#include "packs/analyst/settings.h"

namespace ducat::analyst {

class WorkerJobs final : public JobRunner {
 public:
  WorkerJobs(worker::Pool& pool, Catalog& catalog, const AnalystSettings& settings);

  [[nodiscard]] Task<worker::JobResult> Query(worker::JobRequest request, CancelToken cancel,
                                              worker::JobProgress progress) override;
  [[nodiscard]] Task<worker::JobResult> Ingest(worker::JobRequest request, CancelToken cancel,
                                               worker::JobProgress progress) override;

 private:
  worker::Pool& pool_;
  Catalog& catalog_;
  std::shared_ptr<const worker::Binding> query_;
  std::shared_ptr<const worker::Binding> ingest_;
};

}  // namespace ducat::analyst
