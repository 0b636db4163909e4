#include <array>
#include <charconv>

#include "worker/child/engine/connection.h"
#include "worker/child/engine/session.h"

namespace ducat::engine {
namespace {

// Steps 22 to 24 of the lock-down, and what has been seen to change although the lock was on
// (guard.md F7, F12). Not from a prepared statement: that would answer with the values it was
// prepared under.
constexpr const char* kSettings =
    "SELECT concat_ws('; ', current_setting('allowed_directories'), "
    "current_setting('allowed_paths'), current_setting('enable_external_access'), "
    "current_setting('lock_configuration'), current_setting('allow_parser_override_extension'), "
    "current_setting('enable_profiling'), current_setting('profiling_output'), "
    "current_setting('enable_logging'), current_setting('log_query_path'), "
    "current_setting('disabled_optimizers'), current_setting('temp_directory'), "
    "current_setting('memory_limit'), current_setting('threads'), current_setting('TimeZone'), "
    "current_setting('errors_as_json'), current_setting('default_null_order'), "
    "current_setting('default_order'), current_setting('search_path'), "
    "current_setting('schema'))";

// Tables of the engine's own are internal; ours are views. `db` belongs to its file.
constexpr const char* kObjects =
    "SELECT (SELECT count(*) FROM duckdb_tables() WHERE database_name <> 'db' AND NOT internal) "
    "+ (SELECT count(*) FROM duckdb_sequences() WHERE database_name <> 'db') "
    "+ (SELECT count(*) FROM duckdb_variables()) "
    "+ (SELECT count(*) FROM duckdb_schemas() WHERE database_name <> 'db' AND NOT internal) "
    "+ (SELECT count(*) FROM duckdb_databases() WHERE NOT internal AND database_name NOT IN "
    "('memory', 'db')), "
    "(SELECT count(*) FROM duckdb_views() WHERE database_name <> 'db' AND NOT internal), "
    "(SELECT coalesce(sum(view_oid), 0) FROM duckdb_views() WHERE database_name <> 'db' AND NOT "
    "internal)";

using Row = std::vector<std::optional<std::string>>;

EngineResult<Row> OneRow(EngineResult<Rows> rows) {
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  if (table->size() != 1) return tl::unexpected(EngineError{.type = "INTERNAL"});
  return std::move(table->front());
}

uint64_t Number(const std::optional<std::string>& text) {
  uint64_t number = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

}  // namespace

EngineResult<Connection::State> Connection::ReadState() {
  auto settings = OneRow(RunWhole(kSettings));
  if (!settings.has_value()) return tl::unexpected(std::move(settings).error());
  auto objects = OneRow(RunWhole(kObjects));
  if (!objects.has_value()) return tl::unexpected(std::move(objects).error());
  return State{.settings = settings->at(0).value_or(""),
               .strangers = Number(objects->at(0)),
               .views = Number(objects->at(1)),
               .view_ids = objects->at(2).value_or("")};
}

}  // namespace ducat::engine
