#include "packs/analyst/dataset.h"

#include <algorithm>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "packs/analyst/catalog_entries.h"
#include "packs/analyst/database_objects.h"
#include "packs/analyst/name_assignment.h"
#include "worker/job_error.h"

namespace ducat::analyst {
namespace {

constexpr size_t kScanStep = 256;          // directory entries between two looks at the event loop
constexpr size_t kImmediateEntries = 256;  // walked on the spot for the instructions: under 1 ms
constexpr std::chrono::seconds kDatabaseRetry{2};
constexpr std::string_view kNamesFile = "/names.json";

int64_t SecondsSinceEpoch(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

// Parquet first, then by size: what is cheapest to have is there first.
std::vector<std::string> NamesByCost(std::vector<const TableEntry*> entries) {
  std::ranges::sort(entries, {}, [](const TableEntry* entry) {
    return std::tuple(entry->format != FileFormat::kParquet, entry->bytes, entry->name);
  });
  std::vector<std::string> names;
  names.reserve(entries.size());
  for (const TableEntry* entry : entries) {
    names.push_back(entry->name);
  }
  return names;
}

std::vector<std::string> FewAndSmall(const Catalog& catalog, const AnalystSettings& settings,
                                     const std::function<bool(const TableEntry&)>& wanted) {
  std::vector<const TableEntry*> pending;
  uint64_t bytes = 0;
  for (const TableEntry* entry : catalog.Listed()) {
    if (entry->loaded() || (wanted && !wanted(*entry))) continue;
    pending.push_back(entry);
    bytes += entry->bytes;
  }
  if (pending.size() > settings.eager_files_max || bytes > settings.eager_bytes_max) return {};
  return NamesByCost(std::move(pending));
}

}  // namespace

// Shared with the coroutines that run in the background; `ended` tells them that nothing outside
// may be touched any more.
struct Dataset::State {
  State(const DatasetParts& from, FileScan opened)
      : parts(from),
        scan(std::move(opened)),
        changes(from.executor),
        loader(from.executor, from.settings, from.catalog, from.jobs, changes) {}

  DatasetParts parts;
  FileScan scan;
  ChangeSignal changes;
  TableLoader loader;
  std::function<void()> listener;
  bool started = false, walked = false, listed = false, ended = false;
  ScannedDirectory directory;
  std::optional<Error> database_problem;
  MonotonicTime database_asked;
  std::optional<NameAssignment> assignment;

  [[nodiscard]] static Task<void> Build(std::shared_ptr<State> state);
  [[nodiscard]] static Task<void> AddDatabase(std::shared_ptr<State> state);
  void LoadAssignment();
  void FillCatalog(const std::vector<DatabaseObject>& objects);
  void FinishWalk();
  [[nodiscard]] std::vector<std::string> Unloaded(const std::vector<std::string>& names) const;
  void Report(const mcp::CallContext& context) const;
};

Dataset::Dataset(const DatasetParts& parts, FileScan scan)
    : parts_(parts), state_(std::make_shared<State>(parts, std::move(scan))) {}

Dataset::~Dataset() {
  state_->ended = true;
}

std::vector<std::string> Dataset::WorthLoading(
    const std::function<bool(const TableEntry&)>& wanted) const {
  return FewAndSmall(parts_.catalog, settings(), wanted);
}

void Dataset::OnChange(std::function<void()> listener) {
  state_->listener = listener;
  state_->loader.OnIdle(std::move(listener));
}
bool Dataset::listed() const {
  return state_->listed;
}
const ScannedDirectory& Dataset::directory() const {
  return state_->directory;
}
const std::optional<Error>& Dataset::database_problem() const {
  return state_->database_problem;
}

void Dataset::Start() {
  if (std::exchange(state_->started, true)) return;
  boost::asio::co_spawn(parts_.executor, State::Build(state_), boost::asio::detached);
}

void Dataset::TryListNow() {
  if (state_->walked || !state_->scan.Step(kImmediateEntries)) return;
  state_->FinishWalk();
  if (settings().db_file.empty()) state_->FillCatalog({});
}

void Dataset::State::FinishWalk() {
  walked = true;
  directory = scan.Take();
  for (const std::string& glob : directory.idle_globs) {
    parts.log.Write(LogLevel::kWarning, "a glob of file names matches no file", {{"flag", glob}});
  }
}

Task<void> Dataset::State::Build(std::shared_ptr<State> state) {
  while (!state->walked) {
    if (state->scan.Step(kScanStep)) {
      state->FinishWalk();
      break;
    }
    co_await boost::asio::post(state->parts.executor, boost::asio::use_awaitable);
    if (state->ended) co_return Result<void>{};
  }
  if (!state->parts.settings.db_file.empty()) {
    co_await AddDatabase(state);
  } else if (!state->listed) {
    state->FillCatalog({});
  }
  if (!state->ended) {
    state->loader.Request(FewAndSmall(state->parts.catalog, state->parts.settings, {}), false);
  }
  co_return Result<void>{};
}

Task<void> Dataset::State::AddDatabase(std::shared_ptr<State> state) {
  state->database_asked = state->parts.clock.Now();
  Result<std::vector<DatabaseObject>> objects =
      co_await ReadDatabaseObjects(state->parts.jobs, state->parts.settings.timeout);
  if (state->ended) co_return Result<void>{};
  state->database_problem.reset();
  if (!objects) {
    state->database_problem = objects.error();
    state->parts.log.Write(LogLevel::kWarning, "the database cannot be read",
                           {{"reason", objects.error().reason}});
    if (state->listed) co_return Result<void>{};
    objects = std::vector<DatabaseObject>{};
  }
  state->FillCatalog(*objects);
  co_return Result<void>{};
}

// Names given once hold for the process, whether or not they can be kept on disk.
void Dataset::State::LoadAssignment() {
  if (assignment.has_value()) return;
  std::vector<KnownName> known;
  if (!parts.settings.state_dir.empty()) {
    Result<std::vector<KnownName>> loaded =
        LoadNames(parts.settings.state_dir + std::string(kNamesFile));
    if (loaded) {
      known = std::move(*loaded);
    } else {
      parts.log.Write(LogLevel::kWarning, "names.json cannot be used; names are given anew",
                      {{"reason", loaded.error().reason}});
    }
  }
  assignment.emplace(std::move(known), SecondsSinceEpoch(parts.clock.Wall()));
}

void Dataset::State::FillCatalog(const std::vector<DatabaseObject>& objects) {
  LoadAssignment();
  std::vector<TableEntry> entries = NamedEntries(directory, objects, *assignment);
  // What has been read stays read: entries are rebuilt when the database answers late.
  for (TableEntry& entry : entries) {
    const TableEntry* old = parts.catalog.Find(entry.name);
    if (old != nullptr && old->source == entry.source && !entry.from_database()) entry = *old;
  }
  parts.catalog.Reset(std::move(entries), directory.visible);
  listed = true;
  if (!parts.settings.state_dir.empty() && assignment->changed()) {
    if (const Status saved =
            SaveNames(parts.settings.state_dir + std::string(kNamesFile), *assignment);
        !saved) {
      parts.log.Write(LogLevel::kNotice, "names of tables are kept for this process only",
                      {{"reason", saved.error().reason}});
    }
  }
  changes.Notify();
  if (listener) listener();
}

std::vector<std::string> Dataset::State::Unloaded(const std::vector<std::string>& names) const {
  std::vector<const TableEntry*> unloaded;
  const auto add = [&unloaded](const TableEntry* entry) {
    if (entry != nullptr && !entry->loaded()) unloaded.push_back(entry);
  };
  for (const std::string& name : names) {
    add(parts.catalog.Find(name));
  }
  if (names.empty()) {
    for (const TableEntry* entry : parts.catalog.Listed()) {
      add(entry);
    }
  }
  return NamesByCost(std::move(unloaded));
}

void Dataset::State::Report(const mcp::CallContext& context) const {
  const std::optional<LoadProgress>& current = loader.current();
  if (!current.has_value() || !context.wants_progress || !context.progress) return;
  const std::optional<double> total =
      current->total > 0 ? std::optional<double>(current->total) : std::nullopt;
  context.progress(current->done, total, "loading " + current->table);
}

Task<void> Dataset::Listed(MonotonicTime until, CancelToken cancel) {
  Start();
  const std::shared_ptr<State> state = state_;
  while (!state->listed) {
    if (cancel.cancelled()) {
      co_return Failure(worker::EndedEarly(cancel.cause(), state->parts.settings.timeout));
    }
    if (state->parts.clock.Now() >= until) {
      co_return Failure(Error{.code = ErrorCode::kDeadlineExceeded,
                              .reason = "table_pending",
                              .message = "The data directory is still being listed.",
                              .hint = "Call the tool again in a few seconds.",
                              .retryable = true});
    }
    co_await state->changes.Wait(until, cancel);
  }
  co_return Result<void>{};
}

Task<void> Dataset::Load(std::vector<std::string> names, MonotonicTime until,
                         const mcp::CallContext& context) {
  const std::shared_ptr<State> state = state_;
  const CancelToken cancel = context.cancel;
  bool requested = false;
  for (;;) {
    const std::vector<std::string> unloaded = state->Unloaded(names);
    if (unloaded.empty() || state->parts.clock.Now() >= until) co_return Result<void>{};
    if (cancel.cancelled()) {
      co_return Failure(worker::EndedEarly(cancel.cause(), state->parts.settings.timeout));
    }
    if (requested && state->loader.obstacle().has_value()) {
      co_return Failure(*state->loader.obstacle());
    }
    if (!requested) {
      requested = true;
      state->loader.Request(unloaded, true);
      continue;  // a load may have ended by the time Request returns
    }
    co_await state->changes.Wait(until, cancel);
    state->Report(context);
  }
}

Task<void> Dataset::LoadWithin(std::vector<std::string> names, MonotonicTime until,
                               const mcp::CallContext& context) {
  const std::shared_ptr<State> state = state_;
  const std::vector<std::string> unloaded = state->Unloaded(names);
  for (const std::string& name : unloaded) {
    if (state->parts.clock.Now() >= until) break;
    std::vector<std::string> one{name};
    CO_TRY(co_await Load(std::move(one), until, context));
  }
  co_return Result<void>{};
}

Task<void> Dataset::RetryDatabase() {
  const std::shared_ptr<State> state = state_;
  if (!state->database_problem.has_value() ||
      state->parts.clock.Now() - state->database_asked < kDatabaseRetry) {
    co_return Result<void>{};
  }
  co_return co_await State::AddDatabase(state);
}

}  // namespace ducat::analyst
