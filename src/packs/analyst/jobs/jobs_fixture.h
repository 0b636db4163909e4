#pragma once
// JobsFixture: an engine, a catalog and a way to run a job by its name, as the worker's loop does,
// without a process. For unit tests; not linked into the product.

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include <gmock/gmock.h>

#include "json/decode.h"
#include "json/encode.h"
#include "json/view.h"
#include "packs/analyst/jobs/analyst_jobs.h"
#include "packs/analyst/messages/describe.h"
#include "packs/analyst/messages/ingest.h"
#include "packs/analyst/messages/profile.h"
#include "packs/analyst/messages/query.h"
#include "packs/analyst/messages/relationships.h"
#include "worker/child/engine/engine_fixture.h"
#include "worker/child/guard/guard.h"
#include "worker/child/job.h"
#include "worker/child/mounted_catalog.h"
#include "worker/child/rows/string_output.h"

namespace ducat::analyst {

class JobsFixture : public engine::EngineFixture {
 protected:
  void SetUp() override {
    EngineFixture::SetUp();
    hello_.role = worker::Role::kIngest;
    hello_.data_dir = settings_.data_dir;
    hello_.db_file = settings_.db_file;
    hello_.private_dir = settings_.private_dir;
    guard_ = std::make_unique<guard::Guard>(worker::Profile::kAnalyst, settings_.data_dir);
  }

  void Put(const std::filesystem::path& name, std::string_view bytes) const {
    std::filesystem::create_directories((data_dir() / name).parent_path());
    std::ofstream(data_dir() / name, std::ios::binary) << bytes;
  }

  // Runs the job `name`; what it sent is in output_ then. Gives the counters of DONE.
  Result<std::string> RunText(std::string_view name, const std::string& arguments) {
    output_ = {};
    json::Document document;
    TRY_ASSIGN(const json::View view, document.Parse(arguments));
    worker::child::JobContext context{.hello = hello_,
                                      .connection = connection(),
                                      .catalog = catalog_,
                                      .output = output_,
                                      .interrupted = interrupted_,
                                      .guard = *guard_};
    for (const worker::child::JobEntry& job : AnalystJobs()) {
      if (job.name == name) return job.run(context, view);
    }
    return Internal("no job " + std::string(name));
  }

  // The META of a job as its struct.
  template <class Out, class In>
  Result<Out> Run(std::string_view name, const In& in) {
    TRY(RunText(name, json::Encode(in)));
    json::Document document;
    TRY_ASSIGN(const json::View view, document.Parse(output_.meta));
    return json::Decode<Out>(view);
  }

  // Ingests a file of the data directory and mounts it as table `name`.
  void Mount(const std::string& name, const std::string& file, FileFormat format) {
    auto ingested = Run<IngestFileOut>("ingest_file", IngestFileIn{.path = file, .format = format});
    ASSERT_TRUE(ingested.has_value()) << file << ": " << ingested.error().message;
    std::filesystem::path path = data_dir() / file;
    if (!ingested->in_place) {
      path = root() / "tables" / (name + ".parquet");
      std::filesystem::rename(root() / "private" / "out.tmp", path);
    }
    Add({.name = name, .source = file, .file = path.string(), .columns = ingested->columns});
  }
  void MountCsv(const std::string& name, std::string_view bytes) {
    Put(name + ".csv", bytes);
    Mount(name, name + ".csv", FileFormat::kCsv);
  }
  // A Parquet file of a SELECT, read in place.
  void MountSelect(const std::string& name, const std::string& select) {
    const std::string path = (data_dir() / (name + ".parquet")).string();
    auto copied = connection().Run("COPY (" + select + ") TO " + engine::QuoteText(path) +
                                   " (FORMAT parquet)");
    ASSERT_TRUE(copied.has_value()) << copied.error().message;
    Mount(name, name + ".parquet", FileFormat::kParquet);
  }
  void Add(worker::CatalogTable table) {
    const uint64_t from = version_++;
    worker::CatalogDelta delta{.from_version = from, .version = version_};
    delta.tables.push_back(std::move(table));
    ASSERT_TRUE(catalog_.Apply(delta, connection()).has_value());
  }

  worker::Hello hello_;
  worker::child::MountedCatalog catalog_;
  worker::child::StringOutput output_;
  std::function<bool()> interrupted_ = [] { return false; };
  std::unique_ptr<guard::Guard> guard_;
  uint64_t version_ = 0;
};

// The product's sample data, copied where the engine may read it.
class SampleDataFixture : public JobsFixture {
 protected:
  void SetUp() override {
    JobsFixture::SetUp();
    std::filesystem::copy(DUCAT_EXAMPLES_DATA, data_dir(),
                          std::filesystem::copy_options::recursive);
    Mount("articles_2025", "articles/2025.csv", FileFormat::kCsv);
    Mount("articles_2026", "articles/2026.csv", FileFormat::kCsv);
    Mount("orders", "orders.parquet", FileFormat::kParquet);
    Mount("subscribers", "subscribers.csv", FileFormat::kCsv);
    Mount("web_events", "web_events.jsonl", FileFormat::kJsonl);
    Mount("kiosk_sales", "kiosk_sales.csv", FileFormat::kCsv);
  }
};

}  // namespace ducat::analyst
