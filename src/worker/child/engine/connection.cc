#include "worker/child/engine/connection.h"

#include <utility>

#include "worker/child/engine/session.h"
#include "worker/child/engine/statement.h"

namespace ducat::engine {
namespace {

constexpr const char* kSerializeSql = "SELECT json_serialize_sql(?::VARCHAR)";

// Names and types of the columns of a result or a prepared statement.
template <class Name, class LogicalType>
void ReadColumns(idx_t count, const Keywords& keywords, Name name, LogicalType logical_type,
                 std::vector<ResultColumn>& columns, std::vector<Type>& types) {
  for (idx_t i = 0; i < count; ++i) {
    const TypeHandle type(logical_type(i));
    types.push_back(ReadType(type.get(), keywords));
    columns.push_back({.name = name(i), .type = types.back().text});
  }
}

// The columns under other names, cast where only the engine can print them.
std::string ReadableSelect(std::string_view sql, const std::vector<ResultColumn>& columns,
                           const std::vector<Type>& types) {
  std::string select = "SELECT ";
  std::string names;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string inner = "c" + std::to_string(i);
    const std::string cast = ReadableCast(types[i]);
    if (i > 0) select += ", ", names += ", ";
    names += inner;
    select += cast.empty() ? inner : "CAST(" + inner + " AS " + cast + ")";
    select += " AS " + QuoteIdentifier(columns[i].name);
  }
  return select + " FROM (\n" + std::string(sql) + "\n) AS _readable(" + names + ")";
}

bool NeedsCast(const std::vector<Type>& types) {
  for (const Type& type : types) {
    if (!ReadableCast(type).empty()) return true;
  }
  return false;
}

}  // namespace

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
Connection::~Connection() {
  if (impl_ != nullptr) impl_->session.is_borrowed = false;
}

EngineResult<Rows> Connection::Run(std::string_view sql, const NamedParameters& parameters) {
  auto prepared = PrepareStatement(impl_->session.handle.get(), sql);
  if (!prepared.has_value()) return tl::unexpected(std::move(prepared).error());
  if (auto bound = BindParameters(prepared->get(), parameters); !bound.has_value()) {
    return tl::unexpected(std::move(bound).error());
  }
  auto result = ExecuteStreaming(prepared->get());
  if (!result.has_value()) return tl::unexpected(std::move(result).error());
  auto rows = std::make_unique<Rows::Impl>();
  rows->prepared = *std::move(prepared);
  rows->result = *std::move(result);
  duckdb_result* raw = &rows->result.get();
  ReadColumns(
      duckdb_column_count(raw), *impl_->session.keywords,
      [raw](idx_t i) { return std::string(duckdb_column_name(raw, i)); },
      [raw](idx_t i) { return duckdb_column_logical_type(raw, i); }, rows->columns, rows->types);
  return Rows(std::move(rows));
}

EngineResult<Rows> Connection::RunReadable(std::string_view sql,
                                           const NamedParameters& parameters) {
  auto plain = Run(sql, parameters);
  if (!plain.has_value() || !NeedsCast(plain->types())) return plain;
  std::vector<ResultColumn> columns = plain->columns();
  const std::string readable = ReadableSelect(sql, columns, plain->types());
  *plain = Rows(nullptr);
  auto rows = Run(readable, parameters);
  if (rows.has_value()) rows->impl_->columns = std::move(columns);
  return rows;
}

EngineResult<Connection::Prepared> Connection::Prepare(std::string_view sql) {
  auto statement = PrepareStatement(impl_->session.handle.get(), sql);
  if (!statement.has_value()) return tl::unexpected(std::move(statement).error());
  const duckdb_prepared_statement raw = statement->get();
  Prepared prepared{.kind = std::string(StatementKind(raw))};
  for (idx_t i = 1; i <= duckdb_nparams(raw); ++i) {
    prepared.parameter_names.push_back(TakeText(duckdb_parameter_name(raw, i)));
  }
  std::vector<Type> types;
  ReadColumns(
      duckdb_prepared_statement_column_count(raw), *impl_->session.keywords,
      [raw](idx_t i) { return TakeText(duckdb_prepared_statement_column_name(raw, i)); },
      [raw](idx_t i) { return duckdb_prepared_statement_column_logical_type(raw, i); },
      prepared.columns, types);
  return prepared;
}

EngineResult<std::string> Connection::SerializeSql(std::string_view sql) {
  Session& session = impl_->session;
  if (session.serialize.get() == nullptr) {
    auto statement = PrepareStatement(session.handle.get(), kSerializeSql);
    if (!statement.has_value()) return tl::unexpected(std::move(statement).error());
    session.serialize = *std::move(statement);
  }
  const NamedParameters text{{"1", {.kind = Parameter::Kind::kText, .text = std::string(sql)}}};
  if (auto bound = BindParameters(session.serialize.get(), text); !bound.has_value()) {
    return tl::unexpected(std::move(bound).error());
  }
  auto result = ExecuteStreaming(session.serialize.get());
  if (!result.has_value()) return tl::unexpected(std::move(result).error());
  const ChunkHandle chunk(duckdb_fetch_chunk(result->get()));
  if (chunk.get() == nullptr || duckdb_data_chunk_get_size(chunk.get()) != 1) {
    return tl::unexpected(EngineError{.type = "INTERNAL", .message = "no serialised statement"});
  }
  auto* strings = static_cast<duckdb_string_t*>(
      duckdb_vector_get_data(duckdb_data_chunk_get_vector(chunk.get(), 0)));
  return std::string(duckdb_string_t_data(strings), duckdb_string_t_length(*strings));
}

EngineResult<std::string> Connection::ExplainJson(std::string_view sql,
                                                  const NamedParameters& parameters) {
  auto rows = Run("EXPLAIN (FORMAT JSON) " + std::string(sql), parameters);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->empty() || table->front().size() != 2 || !table->front()[1].has_value()) {
    return tl::unexpected(EngineError{.type = "INTERNAL", .message = "no plan"});
  }
  return *table->front()[1];
}

void Connection::Interrupt() {
  duckdb_interrupt(impl_->session.handle.get());
}

}  // namespace ducat::engine
