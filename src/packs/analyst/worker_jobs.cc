#include "packs/analyst/worker_jobs.h"

#include <string>
#include <utility>

#include "packs/analyst/failed_read.h"

namespace ducat::analyst {
namespace {

worker::Hello CommonHello(const AnalystSettings& settings) {
  return worker::Hello{.profile = worker::Profile::kAnalyst,
                       .sandbox = settings.sandbox,
                       .data_dir = settings.data_root,
                       .db_file = settings.db_root,
                       .tables_dir = settings.tables_dir,
                       .private_dir = {},
                       .memory_limit_bytes = settings.memory_limit_bytes,
                       .temp_limit_bytes = settings.temp_limit_bytes,
                       .file_bytes_max = settings.scan.file_bytes_max,
                       .threads = settings.threads};
}

class QueryBinding final : public worker::Binding {
 public:
  QueryBinding(const Catalog& catalog, const AnalystSettings& settings)
      : catalog_(catalog), settings_(settings), key_("query:" + settings.data_root) {}
  [[nodiscard]] const std::string& key() const override { return key_; }
  [[nodiscard]] worker::Hello hello() const override {
    worker::Hello hello = CommonHello(settings_);
    hello.role = worker::Role::kQuery;
    return hello;
  }
  [[nodiscard]] uint64_t version() const override { return catalog_.version(); }
  [[nodiscard]] worker::CatalogDelta DeltaFrom(uint64_t version) const override {
    return catalog_.DeltaFrom(version);
  }

 private:
  const Catalog& catalog_;
  const AnalystSettings& settings_;
  std::string key_;
};

// Ingestion names its file in the job; it needs no catalog.
class IngestBinding final : public worker::Binding {
 public:
  explicit IngestBinding(const AnalystSettings& settings)
      : settings_(settings), key_("ingest:" + settings.data_root) {}
  [[nodiscard]] const std::string& key() const override { return key_; }
  [[nodiscard]] worker::Hello hello() const override {
    worker::Hello hello = CommonHello(settings_);
    hello.role = worker::Role::kIngest;
    hello.tables_dir.clear();
    return hello;
  }
  [[nodiscard]] uint64_t version() const override { return 0; }
  [[nodiscard]] worker::CatalogDelta DeltaFrom(uint64_t /*version*/) const override { return {}; }

 private:
  const AnalystSettings& settings_;
  std::string key_;
};

}  // namespace

WorkerJobs::WorkerJobs(worker::Pool& pool, Catalog& catalog, const AnalystSettings& settings)
    : pool_(pool),
      catalog_(catalog),
      query_(std::make_shared<QueryBinding>(catalog, settings)),
      ingest_(std::make_shared<IngestBinding>(settings)) {}

Task<worker::JobResult> WorkerJobs::Query(worker::JobRequest request, CancelToken cancel,
                                          worker::JobProgress progress) {
  Catalog& catalog = catalog_;  // outlives the call; this object need not
  Result<worker::JobResult> result =
      co_await pool_.Run(query_, std::move(request), std::move(cancel), std::move(progress));
  if (!result) NoteFailedRead(result.error(), catalog);
  co_return result;
}

Task<worker::JobResult> WorkerJobs::Ingest(worker::JobRequest request, CancelToken cancel,
                                           worker::JobProgress progress) {
  return pool_.Run(ingest_, std::move(request), std::move(cancel), std::move(progress));
}

}  // namespace ducat::analyst
