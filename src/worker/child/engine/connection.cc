#include "worker/child/engine/connection.h"

#include <utility>

#include <fmt/format.h>

#include "worker/child/engine/session.h"
#include "worker/child/engine/statement.h"

namespace ducat::engine {
namespace {

constexpr const char* kSerializeSql = "SELECT json_serialize_sql(?::VARCHAR)";

struct Columns {
  std::vector<ResultColumn> columns;
  std::vector<Type> types;

  void Add(std::string name, duckdb_logical_type owned, const Keywords& keywords) {
    const TypeHandle type(owned);
    types.push_back(ReadType(type.get(), keywords));
    columns.push_back({.name = std::move(name), .type = types.back().text});
  }
};

// The columns under other names, cast where only the engine can print them.
std::string ReadableSelect(std::string_view sql, const std::vector<ResultColumn>& columns,
                           const std::vector<Type>& types) {
  std::string select = "SELECT ";
  std::string names;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string inner = "c" + std::to_string(i);
    const std::string cast = ReadableCast(types[i]);
    if (i > 0) {
      select += ", ";
      names += ", ";
    }
    names += inner;
    select += cast.empty() ? inner : fmt::format("CAST({} AS {})", inner, cast);
    select += " AS " + QuoteIdentifier(columns[i].name);
  }
  return select + " FROM (\n" + std::string(sql) + "\n) AS _readable(" + names + ")";
}

template <class Impl>
void Describe(Impl& rows, const Keywords& keywords) {
  duckdb_result* raw = &rows.result.get();
  Columns read;
  for (idx_t i = 0; i < duckdb_column_count(raw); ++i) {
    read.Add(duckdb_column_name(raw, i), duckdb_column_logical_type(raw, i), keywords);
  }
  rows.columns = std::move(read.columns);
  rows.types = std::move(read.types);
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
  if (!prepared.has_value()) return Failed(impl_->session, std::move(prepared).error());
  if (auto bound = BindParameters(prepared->get(), parameters); !bound.has_value()) {
    return tl::unexpected(std::move(bound).error());
  }
  auto result = ExecuteStreaming(prepared->get());
  if (!result.has_value()) return Failed(impl_->session, std::move(result).error());
  auto rows = std::make_unique<Rows::Impl>();
  rows->session = &impl_->session;
  rows->prepared = *std::move(prepared);
  rows->result = *std::move(result);
  Describe(*rows, *impl_->session.keywords);
  return Rows(std::move(rows));
}

EngineResult<Rows> Connection::RunWhole(std::string_view sql) {
  Session& session = impl_->session;
  auto result = ExecuteWhole(session.handle.get(), sql);
  if (!result.has_value()) return Failed(session, std::move(result).error());
  auto rows = std::make_unique<Rows::Impl>();
  rows->session = &session;
  rows->result = *std::move(result);
  Describe(*rows, *session.keywords);
  return Rows(std::move(rows));
}

EngineResult<Rows> Connection::RunReadable(std::string_view sql, const NamedParameters& parameters,
                                           uint64_t rows_max) {
  const bool whole = parameters.empty() && rows_max <= kWholeRowsMax;
  const auto run = [&](std::string_view text) {
    return whole ? RunWhole(text) : Run(text, parameters);
  };
  auto plain = run(sql);
  if (!plain.has_value() || !NeedsCast(plain->types())) return plain;
  std::vector<ResultColumn> columns = plain->columns();
  const std::string readable = ReadableSelect(sql, columns, plain->types());
  *plain = Rows(nullptr);
  auto rows = run(readable);
  if (rows.has_value()) rows->impl_->columns = std::move(columns);
  return rows;
}

EngineResult<Connection::Prepared> Connection::Prepare(std::string_view sql) {
  auto statement = PrepareStatement(impl_->session.handle.get(), sql);
  if (!statement.has_value()) return Failed(impl_->session, std::move(statement).error());
  const duckdb_prepared_statement raw = statement->get();
  Prepared prepared{.kind = std::string(StatementKind(raw))};
  for (idx_t i = 1; i <= duckdb_nparams(raw); ++i) {
    prepared.parameter_names.push_back(TakeText(duckdb_parameter_name(raw, i)));
  }
  Columns read;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(raw); ++i) {
    read.Add(TakeText(duckdb_prepared_statement_column_name(raw, i)),
             duckdb_prepared_statement_column_logical_type(raw, i), *impl_->session.keywords);
  }
  prepared.columns = std::move(read.columns);
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
  if (!result.has_value()) return Failed(session, std::move(result).error());
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
  const std::string explain = "EXPLAIN (FORMAT JSON) " + std::string(sql);
  auto rows = parameters.empty() ? RunWhole(explain) : Run(explain, parameters);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->empty() || table->front().size() != 2 || !table->front()[1].has_value()) {
    return tl::unexpected(EngineError{.type = "INTERNAL", .message = "no plan"});
  }
  return *table->front()[1];
}

std::string Connection::WithoutFolders(std::string text) const {
  return engine::WithoutFolders(std::move(text), impl_->database.folders);
}

bool Connection::is_broken() const {
  return impl_->session.is_broken;
}

void Connection::Interrupt() {
  duckdb_interrupt(impl_->session.handle.get());
}

}  // namespace ducat::engine
