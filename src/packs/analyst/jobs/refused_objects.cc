#include "packs/analyst/jobs/refused_objects.h"

#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "worker/child/guard/stored_sql.h"

namespace ducat::analyst {
namespace {

using Names = std::set<std::string, std::less<>>;

constexpr std::string_view kStoredSql =
    "SELECT schema_name, table_name, false,"
    " CASE WHEN contains(sql, 'GENERATED ALWAYS AS') THEN sql END FROM duckdb_tables()"
    " WHERE database_name = 'db' AND NOT internal UNION ALL"
    " SELECT schema_name, view_name, true, coalesce(sql, '') FROM duckdb_views()"
    " WHERE database_name = 'db' AND NOT internal";

// Stored SQL finds macros of its own database before the engine's functions, and operators call
// functions by name.
constexpr std::string_view kShadowSql =
    "SELECT min(m.function_name) FROM duckdb_functions() AS m WHERE m.database_name = 'db' AND"
    " lower(m.function_name) IN"
    " (SELECT lower(function_name) FROM duckdb_functions() WHERE database_name = 'system')";

struct StoredObject {
  std::string schema, name;
  bool is_view = false;
  std::optional<std::string> sql;
  std::set<std::string> reads;  // lower case
};

class Judgement {
 public:
  explicit Judgement(std::vector<StoredObject> objects) : objects_(std::move(objects)) {
    for (const StoredObject& object : objects_) {
      all_.insert(AsciiLower(object.name));
      schemas_[object.schema].insert(AsciiLower(object.name));
    }
  }

  void Judge(engine::Connection& connection, const std::optional<std::string>& shadow) {
    for (StoredObject& object : objects_) {
      if (!object.sql.has_value()) continue;
      guard::StoredVerdict verdict =
          object.is_view ? guard::JudgeStoredView(connection, *object.sql, schemas_[object.schema])
                         : guard::JudgeGeneratedColumns(connection, *object.sql);
      if (shadow.has_value() && verdict.refusal.empty()) {
        verdict.refusal = "The macro " + *shadow +
                          " of the database stands in the place of the engine's function.";
      }
      if (!verdict.refusal.empty()) {
        Refuse(object, object.is_view ? "view_not_allowed" : "column_not_allowed", verdict.refusal);
      }
      object.reads = std::move(verdict.tables);
    }
  }

  // What is not there would be looked for among the server's tables and files.
  void RefuseUnknown() {
    for (const StoredObject& object : objects_) {
      for (const std::string& name : object.reads) {
        if (all_.contains(name)) continue;
        Refuse(object, "engine_error", "The database has no table \"" + name + "\".");
      }
    }
  }

  // Until nothing is added: views of views.
  void RefuseReaders() {
    for (bool found = true; found;) {
      found = false;
      for (const StoredObject& object : objects_) {
        for (const std::string& name : object.reads) {
          const auto read = refused_names_.find(name);
          if (read == refused_names_.end()) continue;
          const std::string reason =
              read->second == "engine_error" ? "engine_error" : "view_not_allowed";
          found |= Refuse(object, reason, "It reads \"" + name + "\", which cannot be read.");
        }
      }
    }
  }

  RefusedObjects Take() { return std::move(refused_); }

 private:
  bool Refuse(const StoredObject& object, std::string reason, std::string text) {
    refused_names_.emplace(AsciiLower(object.name), reason);
    return refused_
        .try_emplace({object.schema, object.name},
                     ObjectRefusal{.reason = std::move(reason), .text = std::move(text)})
        .second;
  }

  std::vector<StoredObject> objects_;
  Names all_;
  std::map<std::string, Names> schemas_;
  RefusedObjects refused_;
  std::map<std::string, std::string> refused_names_;  // lower case, with the reason
};

}  // namespace

engine::EngineResult<RefusedObjects> FindRefusedObjects(engine::Connection& connection) {
  auto stored = connection.Run(kStoredSql);
  if (!stored.has_value()) return tl::unexpected(std::move(stored).error());
  auto rows = stored->AllText();
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  std::vector<StoredObject> objects;
  bool any_sql = false;
  for (auto& row : *rows) {
    objects.push_back({.schema = row[0].value_or(""),
                       .name = row[1].value_or(""),
                       .is_view = row[2] == "true",
                       .sql = std::move(row[3]),
                       .reads = {}});
    any_sql = any_sql || objects.back().sql.has_value();
  }
  if (!any_sql) return RefusedObjects{};
  auto shadows = connection.Run(kShadowSql);
  if (!shadows.has_value()) return tl::unexpected(std::move(shadows).error());
  auto shadow = shadows->AllText();
  if (!shadow.has_value()) return tl::unexpected(std::move(shadow).error());
  Judgement judgement(std::move(objects));
  judgement.Judge(connection, shadow->front().front());
  judgement.RefuseUnknown();
  judgement.RefuseReaders();
  return judgement.Take();
}

}  // namespace ducat::analyst
