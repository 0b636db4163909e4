#include "packs/analyst/jobs/database_objects.h"

#include <set>

#include <fmt/format.h>

#include "json/decode.h"
#include "json/encode.h"
#include "packs/analyst/jobs/json_rows.h"
#include "packs/analyst/jobs/meta.h"
#include "packs/analyst/jobs/refused_objects.h"
#include "packs/analyst/jobs/run_failure.h"
#include "packs/analyst/messages/ingest.h"
#include "worker/child/engine/connection.h"

namespace ducat::analyst {
namespace {

using worker::child::JobContext;

// Room for the rest of the page beside its objects.
constexpr size_t kPageBytesMax = kMetaBytesMax - (size_t{64} << 10);

constexpr std::string_view kObjectsSql =
    "SELECT schema_name, name, kind FROM"
    " (SELECT schema_name, table_name AS name, 0 AS kind FROM duckdb_tables()"
    " WHERE database_name = 'db' AND NOT internal UNION ALL"
    " SELECT schema_name, view_name AS name, 1 AS kind FROM duckdb_views()"
    " WHERE database_name = 'db' AND NOT internal) ORDER BY schema_name, name";

std::string Text(const std::string& json) {
  return json::Unescape(std::string_view(json).substr(1, json.size() - 2));
}

std::string QualifiedName(const DatabaseObject& object) {
  return "db." + engine::QuoteIdentifier(object.schema) + "." +
         engine::QuoteIdentifier(object.name);
}

engine::EngineResult<std::set<std::string>> NotNullColumns(JobContext& context,
                                                           const DatabaseObject& object) {
  auto rows =
      FetchJson(context.connection,
                fmt::format("SELECT column_name FROM duckdb_columns() WHERE"
                            " database_name = 'db' AND schema_name = {} AND table_name = {}"
                            " AND NOT is_nullable",
                            engine::QuoteText(object.schema), engine::QuoteText(object.name)));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  std::set<std::string> names;
  for (const JsonRow& row : *rows) {
    names.insert(Text(row.front()));
  }
  return names;
}

// Binds the object; what does not bind is listed with the reason.
engine::EngineResult<void> Fill(JobContext& context, DatabaseObject& object) {
  auto bound = context.connection.Run("SELECT * FROM " + QualifiedName(object) + " LIMIT 0");
  if (!bound.has_value()) return tl::unexpected(std::move(bound).error());
  auto not_null = NotNullColumns(context, object);
  if (!not_null.has_value()) return tl::unexpected(std::move(not_null).error());
  for (const engine::ResultColumn& column : bound->columns()) {
    object.columns.push_back(
        {.name = column.name, .type = column.type, .nullable = !not_null->contains(column.name)});
  }
  if (object.kind == ObjectKind::kView) return {};
  auto count = FetchJson(context.connection, "SELECT count(*) FROM " + QualifiedName(object));
  if (!count.has_value()) return tl::unexpected(std::move(count).error());
  object.row_count.emplace(AsInteger(count->front().front()));
  return {};
}

// With its problem when it is not to be read or does not bind; fails when the engine does.
Result<DatabaseObject> Describe(JobContext& context, const JsonRow& row,
                                const RefusedObjects& refused) {
  DatabaseObject object{.schema = Text(row[0]),
                        .name = Text(row[1]),
                        .kind = AsInteger(row[2]) == 0 ? ObjectKind::kTable : ObjectKind::kView};
  if (const auto found = refused.find({object.schema, object.name}); found != refused.end()) {
    object.reason = found->second.reason;
    object.problem = found->second.text;
    return object;
  }
  if (auto filled = Fill(context, object); !filled.has_value()) {
    const Error error = RunFailure(filled.error(), object.name);
    if (error.reason != "table_unreadable" || context.connection.is_broken()) {
      return Failure(error);
    }
    object.problem = filled.error().message;
  }
  return object;
}

}  // namespace

Result<std::string> RunDatabaseObjects(JobContext& context, json::View arguments) {
  TRY_ASSIGN(const DatabaseObjectsIn in, json::Decode<DatabaseObjectsIn>(arguments));
  TRY(context.connection.AttachDatabase());
  auto rows = FetchJson(context.connection, kObjectsSql);
  if (!rows.has_value()) return Failure(RunFailure(rows.error(), "db"));
  const auto refused = FindRefusedObjects(context.connection);
  if (!refused.has_value()) return Failure(RunFailure(refused.error(), "db"));
  DatabaseObjectsOut out{.objects = {}, .total = static_cast<int64_t>(rows->size())};
  size_t bytes = 0;
  for (auto i = static_cast<size_t>(in.offset); i < rows->size(); ++i) {
    TRY_ASSIGN(DatabaseObject object, Describe(context, (*rows)[i], *refused));
    const size_t size = json::Encode(object).size();
    if (bytes + size > kPageBytesMax) {
      if (!out.objects.empty()) {
        out.next_offset = static_cast<int64_t>(i);
        break;
      }
      object.columns.clear();  // one object that no page holds: listed, but not described
      object.problem = "it has too many columns to be listed";
    }
    bytes += size;
    out.objects.push_back(std::move(object));
  }
  return SendMeta(context, out);
}

}  // namespace ducat::analyst
