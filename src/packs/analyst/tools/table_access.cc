#include "packs/analyst/tools/table_access.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "json/writer.h"
#include "packs/analyst/tools/table_argument.h"

namespace ducat::analyst {
namespace {

using std::chrono::milliseconds;

// Between a worker's end and the reply (guard.md 3.3).
constexpr milliseconds kReplyMargin{150};
constexpr milliseconds kLeastTimeout{1};

bool IsWordByte(char c) {
  return (AsciiLower(c) >= 'a' && AsciiLower(c) <= 'z') || IsAsciiDigit(c) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Until when a call may wait for tables: its own timeout, and never so long that no answer fits.
MonotonicTime LoadUntil(const Dataset& dataset, const mcp::CallContext& context) {
  const AnalystSettings& settings = dataset.settings();
  const MonotonicTime own = dataset.clock().Now() + settings.timeout;
  if (context.deadline == MonotonicTime{}) return own;
  return std::min(own, context.deadline - settings.grace - kReplyMargin);
}

// A name that nothing has may be one of the database that cannot be used now.
Error WithDatabaseProblem(Error error, std::string_view name, const Dataset& dataset) {
  const std::optional<Error>& problem = dataset.database_problem();
  if (!problem.has_value() || error.reason != "unknown_table") return error;
  if (AsciiLower(name).starts_with("db.")) {
    Error better = *problem;
    better.data = std::move(error.data);
    return better;
  }
  error.hint = problem->message + " " + error.hint;
  return error;
}

Result<std::string> FoundTable(const Dataset& dataset, const std::string& name) {
  Result<const TableEntry*> entry = FindTable(dataset.catalog(), name);
  if (entry) return (*entry)->name;
  return Failure(WithDatabaseProblem(std::move(entry).error(), name, dataset));
}

// `memory.main.orders` and `main.orders` are orders.
std::string_view WithoutOwnSchema(std::string_view name) {
  for (const std::string_view part : {"memory.", "main."}) {
    if (AsciiLower(name.substr(0, part.size())) == part) name.remove_prefix(part.size());
  }
  return name;
}

// The value of `"token":"..."` in an error's data; empty when it has none.
std::string TokenOf(const Error& error) {
  json::Document document;
  const Result<json::View> data = document.Parse("{" + error.data + "}");
  if (!data) return "";
  const std::optional<json::View> token = data->Find("token");
  return token.has_value() ? std::string(token->AsString().value_or("")) : "";
}

}  // namespace

Task<std::string> ReadyTable(Dataset& dataset, std::string name, mcp::CallContext& context) {
  const MonotonicTime until = LoadUntil(dataset, context);
  CO_TRY(co_await dataset.Listed(until, context.cancel));
  if (dataset.catalog().Find(name) == nullptr) {
    CO_TRY(co_await dataset.RetryDatabase());
  }
  CO_TRY_ASSIGN(std::string found, FoundTable(dataset, name));
  std::vector<std::string> wanted{found};
  CO_TRY(co_await dataset.Load(std::move(wanted), until, context));
  CO_TRY_ASSIGN(const TableEntry* entry, FindTable(dataset.catalog(), found));
  CO_TRY(CheckReadable(*entry));
  co_return found;
}

std::vector<std::string> TablesNamedIn(std::string_view sql, const Catalog& catalog) {
  std::vector<std::string> names;
  for (size_t at = 0; at < sql.size();) {
    if (!IsWordByte(sql[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    while (end < sql.size() && IsWordByte(sql[end])) {
      ++end;
    }
    const TableEntry* entry = catalog.Find(sql.substr(at, end - at));
    at = end;
    if (entry == nullptr || std::ranges::find(names, entry->name) != names.end()) continue;
    names.push_back(entry->name);
  }
  return names;
}

Task<void> LoadTablesNamedIn(Dataset& dataset, std::string sql, mcp::CallContext& context) {
  const MonotonicTime until = LoadUntil(dataset, context);
  CO_TRY(co_await dataset.Listed(until, context.cancel));
  CO_TRY(co_await dataset.RetryDatabase());
  std::vector<std::string> names = TablesNamedIn(sql, dataset.catalog());
  if (names.empty()) co_return Result<void>{};
  co_return co_await dataset.Load(std::move(names), until, context);
}

Error ExplainSqlError(Error error, const Dataset& dataset) {
  // A file may bear the name of a view of the engine.
  if (error.reason != "unknown_table" && error.reason != "table_unreadable" &&
      error.reason != "table_pending" && error.reason != "system_catalog_access") {
    return error;
  }
  const std::string token = TokenOf(error);
  const TableEntry* entry = dataset.catalog().Find(WithoutOwnSchema(token));
  if (entry == nullptr) return WithDatabaseProblem(std::move(error), token, dataset);
  Status readable = CheckHasColumns(*entry);
  if (readable) return error;
  Error better = std::move(readable).error();
  better.data = std::move(error.data);
  return better;
}

std::string MoreTimeHint(const TimeGiven& time) {
  const auto seconds = [](milliseconds duration) {
    std::string text;
    json::AppendShortest(text, static_cast<double>(duration.count()) / 1000);
    return text + " s";
  };
  if (time.given < std::min(time.server, time.asked > milliseconds(0) ? time.asked : time.server)) {
    return "A call must end before its client stops waiting: after 55 s, or 300 s with a "
           "progressToken. As a task it may take the server's " +
           seconds(time.server) + ".";
  }
  if (time.given < time.server) {
    return "Or allow more time: timeout_s may be up to " + seconds(time.server) + ".";
  }
  return "This was the server's limit, " + seconds(time.server) +
         ", which no argument raises; its operator can, with --timeout-s.";
}

Task<worker::JobResult> RunTableJob(Dataset& dataset, TableJob job, mcp::CallContext& context) {
  const AnalystSettings& settings = dataset.settings();
  worker::JobRequest request;
  request.name = std::move(job.name);
  request.arguments = std::move(job.arguments);
  request.timeout =
      job.timeout > milliseconds(0) ? std::min(job.timeout, settings.timeout) : settings.timeout;
  if (context.deadline != MonotonicTime{}) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(context.deadline - dataset.clock().Now());
    request.timeout =
        std::clamp(left - settings.grace - kReplyMargin, kLeastTimeout, request.timeout);
  }
  request.rows_bytes_max = job.rows_bytes_max;
  request.text_bytes_max = job.text_bytes_max;
  request.session = context.turn;
  request.statement = std::move(job.statement);
  worker::JobProgress progress;
  if (context.wants_progress && context.progress) {
    progress = [report = context.progress](double done, double total, std::string_view text) {
      report(done, total > 0 ? std::optional<double>(total) : std::nullopt, text);
    };
  }
  const CancelToken cancel = context.cancel;
  const TimeGiven time{.asked = job.timeout, .server = settings.timeout, .given = request.timeout};
  Result<worker::JobResult> result =
      co_await dataset.jobs().Query(std::move(request), cancel, std::move(progress));
  if (!result && result.error().reason == "query_timeout") {
    Error error = std::move(result).error();
    error.hint += " " + MoreTimeHint(time);
    co_return Failure(std::move(error));
  }
  co_return result;
}

}  // namespace ducat::analyst
