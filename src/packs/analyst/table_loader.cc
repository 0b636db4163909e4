#include "packs/analyst/table_loader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "json/decode.h"
#include "json/encode.h"
#include "json/view.h"

namespace ducat::analyst {
namespace {

constexpr int kReadAttempts = 3;  // of a file that changes while it is read

// Failures that say nothing about the file: it stays pending and is read when next asked for.
constexpr std::array<std::string_view, 6> kObstacles{"overloaded",      "worker_unavailable",
                                                     "cancelled",       "engine_version",
                                                     "engine_lockdown", "internal_error"};

bool IsObstacle(const Error& error) {
  return std::find(kObstacles.begin(), kObstacles.end(), error.reason) != kObstacles.end();
}

// The run-time reasons of workers in the words of analyst.md 10; a job's own reasons stay.
std::string FileReason(const std::string& reason) {
  if (reason == "worker_crashed" || reason == "quarantined") return "engine_crash";
  if (reason == "query_timeout") return "timeout";
  if (reason == "memory_limit" || reason == "temp_limit") return "engine_error";
  return reason;
}

struct FileStamp {
  uint64_t bytes = 0;
  int64_t modified_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

std::optional<FileStamp> StampOf(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileStamp{
      .bytes = static_cast<uint64_t>(status.st_size),
      .modified_ns = int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace

struct TableLoader::State {
  boost::asio::any_io_executor executor;
  const AnalystSettings& settings;
  Catalog& catalog;
  JobRunner& jobs;
  ChangeSignal& changes;
  std::deque<std::string> queue;
  bool running = false;
  bool ended = false;  // the loader is gone: nothing above may be touched
  uint64_t files_made = 0;
  std::optional<LoadProgress> current;
  std::optional<Error> obstacle;
  std::function<void()> idle;

  [[nodiscard]] static Task<void> RunQueue(std::shared_ptr<State> state);
  [[nodiscard]] static Task<void> LoadOne(std::shared_ptr<State> state, std::string name);
  [[nodiscard]] static Task<worker::JobResult> Ingest(std::shared_ptr<State> state,
                                                      std::string name);
  [[nodiscard]] Status Publish(const std::string& name, const worker::JobResult& result,
                               FileStamp stamp);
  void MarkFailed(const std::string& name, const Error& error);
};

TableLoader::TableLoader(boost::asio::any_io_executor executor, const AnalystSettings& settings,
                         Catalog& catalog, JobRunner& jobs, ChangeSignal& changes)
    : state_(std::make_shared<State>(State{.executor = std::move(executor),
                                           .settings = settings,
                                           .catalog = catalog,
                                           .jobs = jobs,
                                           .changes = changes,
                                           .queue = {},
                                           .current = {},
                                           .obstacle = {},
                                           .idle = {}})) {}
TableLoader::~TableLoader() {
  state_->ended = true;
}

const std::optional<LoadProgress>& TableLoader::current() const {
  return state_->current;
}
const std::optional<Error>& TableLoader::obstacle() const {
  return state_->obstacle;
}

void TableLoader::OnIdle(std::function<void()> callback) {
  state_->idle = std::move(callback);
}

void TableLoader::Request(const std::vector<std::string>& names, bool first) {
  State& state = *state_;
  std::deque<std::string> wanted;
  for (const std::string& name : names) {
    const TableEntry* entry = state.catalog.Find(name);
    if (entry == nullptr || entry->status != TableStatus::kPending) continue;
    const auto queued = std::find(state.queue.begin(), state.queue.end(), entry->name);
    if (queued != state.queue.end()) {
      if (!first) continue;
      state.queue.erase(queued);
    }
    wanted.push_back(entry->name);
  }
  state.queue.insert(first ? state.queue.begin() : state.queue.end(), wanted.begin(), wanted.end());
  if (state.running || state.queue.empty()) return;
  state.running = true;
  state.obstacle.reset();
  boost::asio::co_spawn(state.executor, State::RunQueue(state_), boost::asio::detached);
}

Task<void> TableLoader::State::RunQueue(std::shared_ptr<State> state) {
  while (!state->ended && !state->queue.empty()) {
    std::string name = std::move(state->queue.front());
    state->queue.pop_front();
    const TableEntry* entry = state->catalog.Find(name);
    if (entry == nullptr || entry->status != TableStatus::kPending) continue;
    const Result<void> loaded = co_await LoadOne(state, std::move(name));
    if (state->ended) co_return Result<void>{};
    state->current.reset();
    if (!loaded) {
      state->obstacle = loaded.error();
      state->queue.clear();
    }
    state->changes.Notify();
  }
  state->running = false;
  if (!state->ended && state->idle) state->idle();
  co_return Result<void>{};
}

// Fails only for an obstacle.
Task<void> TableLoader::State::LoadOne(std::shared_ptr<State> state, std::string name) {
  const std::string source =
      state->settings.data_root + "/" + state->catalog.Find(name)->file_path();
  state->catalog.Update(name, [](TableEntry& entry) { entry.status = TableStatus::kLoading; });
  state->current = LoadProgress{.table = name};
  Error last{.code = ErrorCode::kUnavailable,
             .reason = "file_changed",
             .message = "The file changed three times while it was read.",
             .hint = "Try again when its writer has finished."};
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    const std::optional<FileStamp> before = StampOf(source);
    Result<worker::JobResult> result = co_await Ingest(state, name);
    if (state->ended) co_return Result<void>{};
    if (!result && IsObstacle(result.error())) {
      state->catalog.Update(name, [](TableEntry& entry) { entry.status = TableStatus::kPending; });
      co_return Failure(std::move(result).error());
    }
    if (before.has_value() && StampOf(source) != before) {
      if (result) unlink(result->staged_file.c_str());
      continue;
    }
    Status published = result ? state->Publish(name, *result, before.value_or(FileStamp{}))
                              : Status(Failure(std::move(result).error()));
    if (!published) state->MarkFailed(name, published.error());
    co_return Result<void>{};
  }
  state->MarkFailed(name, last);
  co_return Result<void>{};
}

Task<worker::JobResult> TableLoader::State::Ingest(std::shared_ptr<State> state, std::string name) {
  const TableEntry& entry = *state->catalog.Find(name);
  const IngestFileIn arguments{
      .path = entry.source,
      .escaped = entry.escaped,
      .format = entry.format,
      .unpack_ratio_max = static_cast<int64_t>(state->settings.unpack_ratio_max)};
  worker::JobRequest request;
  request.name = "ingest_file";
  request.arguments = json::Encode(arguments);
  request.timeout = state->settings.load_timeout;
  request.session = "ingest";
  request.statement = "file:" + entry.source;
  worker::JobProgress progress = [state, name](double done, double total, std::string_view) {
    if (state->ended) return;
    state->current = LoadProgress{.table = name, .done = done, .total = total};
    state->changes.Notify();
  };
  co_return co_await state->jobs.Ingest(std::move(request), CancelToken{}, std::move(progress));
}

// The table's file is in place before the entry says so. It is not synced: the directory is private
// to this process and goes with it, and a sync of gigabytes would stall every other request.
Status TableLoader::State::Publish(const std::string& name, const worker::JobResult& result,
                                   FileStamp stamp) {
  json::Document document;
  TRY_ASSIGN(const json::View meta, document.Parse(result.meta));
  TRY_ASSIGN(IngestFileOut made, json::Decode<IngestFileOut>(meta));
  const TableEntry& entry = *catalog.Find(name);
  std::string mounted = settings.data_root + "/" + entry.source;
  if (!made.in_place) {
    mounted = settings.tables_dir + "/" + name + "." + std::to_string(++files_made) + ".parquet";
    if (result.staged_file.empty() ||
        std::rename(result.staged_file.c_str(), mounted.c_str()) != 0) {
      return Internal("no staged file for " + name + ": " + std::generic_category().message(errno));
    }
  }
  catalog.Update(name, [&](TableEntry& table) {
    table.status = TableStatus::kReady;
    table.reason.clear();
    table.detail.clear();
    table.row_count = made.row_count;
    table.columns = std::move(made.columns);
    table.warnings = std::move(made.warnings);
    table.facts = std::move(made.facts);
    table.mounted_file = std::move(mounted);
    table.bytes = stamp.bytes;
    table.modified_ns = stamp.modified_ns;
  });
  return {};
}

void TableLoader::State::MarkFailed(const std::string& name, const Error& error) {
  catalog.Update(name, [&error](TableEntry& entry) {
    const bool empty = error.reason == "empty";
    entry.status = empty ? TableStatus::kEmpty : TableStatus::kUnreadable;
    entry.reason = empty ? "" : FileReason(error.reason);
    entry.detail =
        error.code == ErrorCode::kInternal ? "The file could not be loaded." : error.message;
    if (empty) entry.row_count = 0;
  });
}

}  // namespace ducat::analyst
