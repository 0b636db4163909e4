#include "worker/child/engine/statement.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/text.h"
#include "worker/child/engine/engine_error.h"

namespace ducat::engine {
namespace {

using EngineFailure = tl::unexpected<EngineError>;

EngineFailure InvalidInput(std::string message) {
  return EngineFailure({.type = "Invalid Input", .message = std::move(message)});
}

// The C API reads up to a NUL; what follows one would be lost without a word.
bool HasNul(std::string_view sql) {
  return sql.find('\0') != std::string_view::npos;
}

// INTEGER when it fits: the engine has no DATE + BIGINT, and a literal would be one too.
duckdb_state BindInteger(duckdb_prepared_statement statement, idx_t index, int64_t value) {
  if (value >= std::numeric_limits<int32_t>::min() &&
      value <= std::numeric_limits<int32_t>::max()) {
    return duckdb_bind_int32(statement, index, static_cast<int32_t>(value));
  }
  return duckdb_bind_int64(statement, index, value);
}

duckdb_state Bind(duckdb_prepared_statement statement, idx_t index, const Parameter& value) {
  switch (value.kind) {
    case Parameter::Kind::kNull:
      return duckdb_bind_null(statement, index);
    case Parameter::Kind::kBoolean:
      return duckdb_bind_boolean(statement, index, value.boolean);
    case Parameter::Kind::kInteger:
      return BindInteger(statement, index, value.integer);
    case Parameter::Kind::kUnsigned:
      return duckdb_bind_uint64(statement, index, value.unsigned_integer);
    case Parameter::Kind::kDouble:
      return duckdb_bind_double(statement, index, value.number);
    case Parameter::Kind::kText:
      return duckdb_bind_varchar_length(statement, index, value.text.data(), value.text.size());
    case Parameter::Kind::kDate:
      return duckdb_bind_date(statement, index, {.days = static_cast<int32_t>(value.integer)});
    case Parameter::Kind::kTimestamp:
      return duckdb_bind_timestamp(statement, index, {.micros = value.integer});
  }
  return DuckDBError;
}

}  // namespace

EngineResult<PreparedHandle> PrepareStatement(duckdb_connection connection, std::string_view sql) {
  if (HasNul(sql)) return InvalidInput("the statement contains U+0000");
  PreparedHandle statement;
  if (duckdb_prepare(connection, std::string(sql).c_str(), statement.out()) != DuckDBSuccess) {
    const char* text = duckdb_prepare_error(statement.get());
    return EngineFailure(ParseEngineError(text == nullptr ? "preparing failed" : text));
  }
  return statement;
}

namespace {

std::string FirstMissing(duckdb_prepared_statement statement, const NamedParameters& parameters) {
  for (idx_t index = 1;; ++index) {
    const std::string name = TakeText(duckdb_parameter_name(statement, index));
    const bool given = std::ranges::any_of(
        parameters, [&](const auto& entry) { return AsciiLower(entry.first) == AsciiLower(name); });
    if (!given || index >= duckdb_nparams(statement)) return name;
  }
}

}  // namespace

EngineResult<void> BindParameters(duckdb_prepared_statement statement,
                                  const NamedParameters& parameters) {
  // By name and not by number: of $1 and $3 the second has number 3, and names know no case.
  idx_t bound = 0;
  for (const auto& [name, value] : parameters) {
    idx_t index = 0;
    if (duckdb_bind_parameter_index(statement, &index, name.c_str()) != DuckDBSuccess) continue;
    if (Bind(statement, index, value) != DuckDBSuccess) {
      return InvalidInput("the value of parameter $" + name + " cannot be bound");
    }
    ++bound;
  }
  if (bound == duckdb_nparams(statement)) return {};
  return InvalidInput("no value for parameter $" + FirstMissing(statement, parameters));
}

EngineResult<ResultHandle> ExecuteWhole(duckdb_connection connection, std::string_view sql) {
  if (HasNul(sql)) return InvalidInput("the statement contains U+0000");
  const std::string text(sql);
  ExtractedHandle extracted;
  const idx_t count = duckdb_extract_statements(connection, text.c_str(), extracted.out());
  if (count == 0) {
    const char* error = duckdb_extract_statements_error(extracted.get());
    return EngineFailure(ParseEngineError(error == nullptr ? "no statement" : error));
  }
  // duckdb_query would run all of them.
  if (count != 1) return InvalidInput("more than one statement");
  ResultHandle result;
  if (duckdb_query(connection, text.c_str(), &result.get()) != DuckDBSuccess) {
    const char* error = duckdb_result_error(&result.get());
    return EngineFailure(ParseEngineError(error == nullptr ? "execution failed" : error));
  }
  return result;
}

EngineResult<ResultHandle> ExecuteStreaming(duckdb_prepared_statement statement) {
  ResultHandle result;
  if (duckdb_execute_prepared_streaming(statement, &result.get()) != DuckDBSuccess) {
    const char* text = duckdb_result_error(&result.get());
    return EngineFailure(ParseEngineError(text == nullptr ? "execution failed" : text));
  }
  return result;
}

std::string_view StatementKind(duckdb_prepared_statement statement) {
  constexpr std::array<std::string_view, 28> kKinds{
      "INVALID",     "SELECT",   "INSERT",    "UPDATE",       "EXPLAIN", "DELETE",  "PREPARE",
      "CREATE",      "EXECUTE",  "ALTER",     "TRANSACTION",  "COPY",    "ANALYZE", "VARIABLE",
      "CREATE_FUNC", "DROP",     "EXPORT",    "PRAGMA",       "VACUUM",  "CALL",    "SET",
      "LOAD",        "RELATION", "EXTENSION", "LOGICAL_PLAN", "ATTACH",  "DETACH",  "MULTI"};
  const auto kind = static_cast<size_t>(duckdb_prepared_statement_type(statement));
  return kind < kKinds.size() ? kKinds[kind] : "INVALID";
}

}  // namespace ducat::engine
