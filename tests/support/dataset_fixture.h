#pragma once
// For tests of the analyst: jobs answered by functions of the test, without a process, and a
// dataset over them. Single-threaded.

#include <chrono>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/log.h"
#include "json/encode.h"
#include "packs/analyst/dataset.h"
#include "packs/analyst/job_runner.h"
#include "support/scratch_folder.h"

namespace ducat::analyst {

class FakeJobs final : public JobRunner {
 public:
  using Handler = std::function<Result<worker::JobResult>(const worker::JobRequest& request)>;
  Handler query, ingest;
  std::vector<worker::JobRequest> requests;

  Task<worker::JobResult> Query(worker::JobRequest request, CancelToken /*cancel*/,
                                worker::JobProgress /*progress*/) override {
    return Answer(query, std::move(request));
  }
  Task<worker::JobResult> Ingest(worker::JobRequest request, CancelToken /*cancel*/,
                                 worker::JobProgress /*progress*/) override {
    return Answer(ingest, std::move(request));
  }

 private:
  Task<worker::JobResult> Answer(Handler handler, worker::JobRequest request) {
    requests.push_back(request);
    if (!handler) co_return Internal("the test has no answer for " + request.name);
    co_return handler(request);
  }
};

// A data directory, jobs and a dataset, in the order in which they must die.
struct DatasetFixture {
  DatasetFixture() {
    settings.data_dir = "given/data";
    settings.data_root = data.string();
    settings.tables_dir = temp.string();
    settings.timeout = std::chrono::milliseconds(2'000);
    jobs.ingest = [this](const worker::JobRequest&) { return Ingested(); };
  }

  // What a worker would answer for a file of one BIGINT column and two rows.
  [[nodiscard]] Result<worker::JobResult> Ingested() {
    const std::string staged = temp.string() + "/out.tmp";
    std::ofstream(staged) << "columnar";
    IngestFileOut out;
    out.columns = {{.name = "id", .type = "BIGINT", .carrier = {}}};
    out.row_count = 2;
    return worker::JobResult{
        .meta = json::Encode(out), .rows = {}, .text = {}, .counters = "{}", .staged_file = staged};
  }

  Dataset& Open() {
    dataset = std::make_unique<Dataset>(DatasetParts{.executor = loop.get_executor(),
                                                     .clock = clock,
                                                     .log = log,
                                                     .settings = settings,
                                                     .catalog = catalog,
                                                     .jobs = jobs},
                                        FileScan::Open(settings.data_root, settings.scan).value());
    context.deadline = clock.Now() + std::chrono::seconds(20);
    return *dataset;
  }

  // Runs the loop until the task has ended.
  template <class T>
  Result<T> Await(Task<T> task) {
    std::optional<Result<T>> result;
    boost::asio::co_spawn(loop, std::move(task), [&](std::exception_ptr, Result<T> ended) {
      result.emplace(std::move(ended));
      loop.stop();
    });
    loop.restart();
    loop.run();
    return std::move(*result);
  }
  // Lists the directory and reads everything.
  void LoadAll() {
    CHECK(Await(dataset->Listed(context.deadline, {})).has_value());
    CHECK(Await(dataset->Load({}, context.deadline, context)).has_value());
  }

  testing::ScratchFolder data, temp;
  SystemClock clock;
  std::vector<std::string> log_lines;
  Log log{clock, {.sink = [this](std::string_view line) { log_lines.emplace_back(line); }}};
  AnalystSettings settings;
  boost::asio::io_context loop{1};
  Catalog catalog;
  FakeJobs jobs;
  mcp::CallContext context;
  std::unique_ptr<Dataset> dataset;
};

}  // namespace ducat::analyst
