#include "packs/analyst/jobs/run_failure.h"

#include <string>

#include "json/writer.h"
#include "worker/child/guard/engine_errors.h"

namespace ducat::analyst {
namespace {

constexpr std::string_view kTooMuch = "Ask for fewer columns, or use sample_rows.";

Error Make(ErrorCode code, std::string reason, std::string message, std::string_view hint) {
  return Error{.code = code,
               .reason = std::move(reason),
               .message = std::move(message),
               .hint = std::string(hint)};
}

bool Mentions(const engine::EngineError& error, std::string_view part) {
  return error.message.find(part) != std::string::npos;
}

// "orders" (file shop/orders.parquet)
std::string Named(const worker::CatalogTable& table) {
  const std::string name = "\"" + table.name + "\"";
  return table.db_name.empty() ? name + " (file " + table.source + ")" : name;
}

Error FailureOf(const engine::EngineError& error, const std::string& name) {
  if (error.type == "Interrupt") {
    return Make(ErrorCode::kDeadlineExceeded, "query_timeout",
                "Reading " + name + " did not end before the deadline", kTooMuch);
  }
  if (Mentions(error, "max_temp_directory_size")) {
    return Make(ErrorCode::kResourceExhausted, "temp_limit",
                "Reading " + name + " needs more temporary space than --temp-limit", kTooMuch);
  }
  if (error.type == "Out of Memory") {
    return Make(ErrorCode::kResourceExhausted, "memory_limit",
                "Reading " + name + " needs more memory than --memory-limit", kTooMuch);
  }
  const std::string words = guard::EngineWords(error.message);
  // An internal error is no fault of ours either: the engine trips over what the file holds. The
  // worker is replaced all the same, as its connection is broken.
  const bool is_internal = error.type == "INTERNAL" || error.type == "FATAL";
  return Make(ErrorCode::kFailedPrecondition, "table_unreadable",
              name + " cannot be read: " + (is_internal ? "the engine failed on it: " : "") + words,
              "Use another table, or have this one written again.");
}

bool IsAboutAValue(const engine::EngineError& error) {
  return error.type == "Conversion" || error.type == "Out of Range" || error.type == "Binder";
}

}  // namespace

Error RunFailure(const engine::EngineError& error, std::string_view name) {
  return FailureOf(error, "\"" + std::string(name) + "\"");
}

Error RunFailure(const engine::EngineError& error, const worker::CatalogTable& table) {
  Error failure = FailureOf(error, Named(table));
  // So that the catalog learns of it.
  if (failure.reason == "table_unreadable") {
    failure.data = "\"table\":";
    json::JsonWriter(failure.data).String(table.name);
  }
  return failure;
}

Error QueryFailure(const engine::EngineError& error, Error judged,
                   const worker::CatalogTable& table) {
  // A file that went away or is damaged: no change of the statement helps.
  if (error.type == "IO" && judged.reason != "temp_limit") return RunFailure(error, table);
  if (error.message.starts_with("Failed to read file")) return RunFailure(error, table);
  const bool may_be_file = judged.reason == "worker_crashed" ||
                           judged.reason == "sql_execution_error" ||
                           (judged.reason == "invalid_sql" && error.type == "Not implemented");
  if (!may_be_file || IsAboutAValue(error) || !table.file.ends_with(table.source)) return judged;
  judged.hint += " If SELECT * FROM " + engine::QuoteIdentifier(table.name) +
                 " fails too, the file " + table.source + " is what cannot be read.";
  return judged;
}

}  // namespace ducat::analyst
