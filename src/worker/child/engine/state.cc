#include <string>

#include "worker/child/engine/connection.h"
#include "worker/child/engine/session.h"
#include "worker/child/engine/statement.h"

namespace ducat::engine {
namespace {

// Steps 22 to 24 of the lock-down, and what has been seen to change although the lock was on
// (guard.md F7, F12). Not from a prepared statement: that would answer with the values it was
// prepared under.
constexpr const char* kSettings =
    "SELECT concat_ws('; ', current_setting('allowed_directories'), "
    "current_setting('allowed_paths'), current_setting('enable_external_access'), "
    "current_setting('lock_configuration'), current_setting('allow_parser_override_extension'), "
    "current_setting('enable_profiling'), current_setting('enable_logging'), "
    "current_setting('TimeZone'), current_setting('schema'))";

// Tables of the engine's own are internal; ours are views. `db` belongs to its file. Prepared, once
// a connection: planning it takes ten times as long as running it.
constexpr const char* kObjects =
    "SELECT count(*) FILTER (NOT is_view), count(*) FILTER (is_view), "
    "coalesce(sum(oid) FILTER (is_view), 0)::BIGINT FROM ("
    "SELECT true AS is_view, view_oid AS oid FROM duckdb_views() "
    "WHERE database_name <> 'db' AND NOT internal "
    "UNION ALL SELECT false, 0 FROM duckdb_tables() WHERE database_name <> 'db' AND NOT internal "
    "UNION ALL SELECT false, 0 FROM duckdb_sequences() WHERE database_name <> 'db' "
    "UNION ALL SELECT false, 0 FROM duckdb_variables() "
    "UNION ALL SELECT false, 0 FROM duckdb_schemas() "
    "WHERE database_name <> 'db' AND NOT internal "
    "UNION ALL SELECT false, 0 FROM duckdb_databases() "
    "WHERE NOT internal AND database_name NOT IN ('memory', 'db'))";

EngineResult<std::string> ReadSettings(Connection& connection) {
  auto rows = connection.RunWhole(kSettings);
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->size() != 1) return tl::unexpected(EngineError{.type = "INTERNAL"});
  return table->front().front().value_or("");
}

EngineResult<ChunkHandle> ReadObjects(Session& session) {
  if (session.objects.get() == nullptr) {
    auto statement = PrepareStatement(session.handle.get(), kObjects);
    if (!statement.has_value()) return tl::unexpected(std::move(statement).error());
    session.objects = *std::move(statement);
  }
  auto result = ExecuteStreaming(session.objects.get());
  if (!result.has_value()) return Failed(session, std::move(result).error());
  ChunkHandle chunk(duckdb_fetch_chunk(result->get()));
  if (chunk.get() == nullptr || duckdb_data_chunk_get_size(chunk.get()) != 1) {
    return tl::unexpected(EngineError{.type = "INTERNAL", .message = "no list of objects"});
  }
  return chunk;
}

}  // namespace

EngineResult<Connection::State> Connection::ReadState() {
  auto settings = ReadSettings(*this);
  if (!settings.has_value()) return tl::unexpected(std::move(settings).error());
  auto objects = ReadObjects(impl_->session);
  if (!objects.has_value()) return tl::unexpected(std::move(objects).error());
  const auto number = [&](idx_t column) {
    const duckdb_vector values = duckdb_data_chunk_get_vector(objects->get(), column);
    return *static_cast<const int64_t*>(duckdb_vector_get_data(values));
  };
  return State{.settings = *std::move(settings),
               .strangers = static_cast<uint64_t>(number(0)),
               .views = static_cast<uint64_t>(number(1)),
               .view_ids = std::to_string(number(2))};
}

}  // namespace ducat::engine
