#pragma once
// What every tool does before it works on tables: wait for the list, find the table, have it
// loaded, refuse what cannot be read; then run one job under what is left of the call's deadline.
// Control thread only; dataset and context outlive the coroutines.

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "json/decode.h"
#include "json/encode.h"
#include "mcp/call_context.h"
#include "packs/analyst/dataset.h"
#include "worker/pool.h"

namespace ducat::analyst {

// The catalog's name of the table, loaded and readable (or empty). Fails with unknown_table,
// table_pending, table_unreadable, or what Dataset::Load fails with.
[[nodiscard]] Task<std::string> ReadyTable(Dataset& dataset, std::string name,
                                           mcp::CallContext& context);

// Has every table loaded whose name occurs as a word in the SQL text. More than the statement reads
// is fine; which of them fail to load matters only when the statement really uses them
// (ExplainSqlError).
[[nodiscard]] Task<void> LoadTablesNamedIn(Dataset& dataset, std::string sql,
                                           mcp::CallContext& context);
[[nodiscard]] std::vector<std::string> TablesNamedIn(std::string_view sql, const Catalog& catalog);

// A refusal that names an unloaded table says why it is not there (table_pending,
// table_unreadable); one that names an unknown table says when the database cannot be used.
[[nodiscard]] Error ExplainSqlError(Error error, const Dataset& dataset);

// One job of the `query` role. `timeout` is cut to what the call's deadline leaves.
struct TableJob {
  std::string name;
  std::string arguments;
  std::chrono::milliseconds timeout{0};  // 0: the server's
  uint64_t rows_bytes_max = 0;
  uint64_t text_bytes_max = 0;
  std::string statement;
};
// What a job had of time: what the caller asked for (0: nothing), the server's limit, and what was
// left of it for this call.
struct TimeGiven {
  std::chrono::milliseconds asked{0}, server{0}, given{0};
};
// What helps when that was too little, as a sentence.
[[nodiscard]] std::string MoreTimeHint(const TimeGiven& time);
[[nodiscard]] Task<worker::JobResult> RunTableJob(Dataset& dataset, TableJob job,
                                                  mcp::CallContext& context);

// A message of a worker as a struct; a worker that sends something else is a defect.
template <class T>
[[nodiscard]] Result<T> DecodeMessage(const std::string& text) {
  json::Document document;
  TRY_ASSIGN(const json::View view, document.Parse(text));
  return json::Decode<T>(view);
}

// Runs a job that answers in META.
template <class Out, class In>
[[nodiscard]] Task<Out> RunMetaJob(Dataset& dataset, std::string name, In arguments,
                                   mcp::CallContext& context) {
  TableJob job{.name = std::move(name), .arguments = json::Encode(arguments), .statement = {}};
  CO_TRY_ASSIGN(const worker::JobResult result,
                co_await RunTableJob(dataset, std::move(job), context));
  co_return DecodeMessage<Out>(result.meta);
}

}  // namespace ducat::analyst
