#include "packs/analyst/jobs/table_relationships.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "json/decode.h"
#include "packs/analyst/jobs/json_rows.h"
#include "packs/analyst/jobs/meta.h"
#include "packs/analyst/jobs/relationship_names.h"
#include "packs/analyst/jobs/run_failure.h"
#include "packs/analyst/jobs/table_scope.h"
#include "packs/analyst/messages/relationships.h"

namespace ducat::analyst {
namespace {

using engine::TypeId;
using worker::child::JobContext;

constexpr int kSampleSeed = 42;

enum class KeyClass : uint8_t { kNone, kInteger, kText, kUuid };

KeyClass ClassOf(const ScopedColumn& column) {
  const TypeId id = column.read_as.id;
  if (column.read_as.text != column.type) return KeyClass::kNone;
  if (id >= TypeId::kTinyInt && id <= TypeId::kBignum) return KeyClass::kInteger;
  if (id == TypeId::kUuid) return KeyClass::kUuid;
  if (id == TypeId::kEnum) return KeyClass::kText;
  return id == TypeId::kVarchar && column.type == "VARCHAR" ? KeyClass::kText : KeyClass::kNone;
}

// A column that may be an end of a relation, with what was counted about it.
struct Key {
  size_t table = 0;  // index into the scopes
  ScopedColumn column;
  KeyClass key_class = KeyClass::kNone;
  int64_t values = 0, distinct = 0;

  [[nodiscard]] bool is_unique() const { return values > 0 && distinct == values; }
  [[nodiscard]] std::string Sql() const {
    // One class of values compares with itself whatever the width of its type.
    return key_class == KeyClass::kText ? "CAST(" + column.Sql() + " AS VARCHAR)" : column.Sql();
  }
};

struct Search {
  JobContext& context;
  const TableRelationshipsIn& in;
  std::vector<TableScope> scopes;
  std::vector<Key> keys;

  [[nodiscard]] const TableScope& TableOf(const Key& key) const { return scopes[key.table]; }
  [[nodiscard]] bool MayPoint(const Key& from, const Key& to) const {
    return from.table != to.table && from.key_class == to.key_class &&
           MayRefer(from.column.name, TableOf(to).name, to.column.name);
  }
  [[nodiscard]] bool IsSourceName(const Key& key) const {
    return in.all_columns || KeyStem(key.column.name).has_value();
  }
};

Status OpenTables(Search& search, std::vector<std::string>& skipped) {
  for (const std::string& name : search.in.tables) {
    Result<TableScope> scope = FindScope(search.context, name, {});
    if (scope.has_value()) {
      search.scopes.push_back(*std::move(scope));
      continue;
    }
    const std::string& reason = scope.error().reason;
    if (reason != "table_unreadable" && reason != "table_pending" &&
        !reason.starts_with("database_")) {
      return Failure(scope.error());
    }
    skipped.push_back(name);
  }
  return {};
}

// Only columns whose names can meet are counted.
void CollectKeys(Search& search) {
  std::vector<Key> all;
  for (size_t table = 0; table < search.scopes.size(); ++table) {
    for (const ScopedColumn& column : search.scopes[table].columns) {
      const KeyClass key_class = ClassOf(column);
      if (key_class == KeyClass::kNone) continue;
      all.push_back({.table = table, .column = column, .key_class = key_class});
    }
  }
  for (const Key& key : all) {
    const bool is_end = std::any_of(all.begin(), all.end(), [&](const Key& other) {
      return (search.IsSourceName(key) && search.MayPoint(key, other)) ||
             (search.IsSourceName(other) && search.MayPoint(other, key));
    });
    if (is_end) search.keys.push_back(key);
  }
}

// Counts of one table's keys in one scan. A table that cannot be read loses its keys.
Status CountKeys(Search& search, size_t table, std::vector<std::string>& skipped) {
  std::string items;
  std::vector<Key*> keys;
  for (Key& key : search.keys) {
    if (key.table != table) continue;
    items += fmt::format("{}count({}), count(DISTINCT {})", keys.empty() ? "" : ", ",
                         key.column.Sql(), key.Sql());
    keys.push_back(&key);
  }
  if (keys.empty()) return {};
  const TableScope& scope = search.scopes[table];
  auto rows = FetchJson(search.context.connection, "SELECT " + items + " FROM " + scope.Sql());
  if (!rows.has_value()) {
    const Error error = RunFailure(rows.error(), *scope.table);
    if (error.reason != "table_unreadable" || search.context.connection.is_broken()) {
      return Failure(error);
    }
    skipped.push_back(scope.name);
    std::erase_if(search.keys, [table](const Key& key) { return key.table == table; });
    return {};
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i]->values = AsInteger(rows->front()[2 * i]);
    keys[i]->distinct = AsInteger(rows->front()[2 * i + 1]);
  }
  return {};
}

bool IsSource(const Search& search, const Key& key) {
  if (!search.IsSourceName(key) || key.values == 0) return false;
  if (search.in.all_columns && key.distinct < 2) return false;
  const std::optional<std::string> stem = KeyStem(key.column.name);
  return !(key.is_unique() && stem && IsOwnKeyTable(search.TableOf(key).name, *stem));
}

std::string ContainmentSql(const Search& search, const Key& from, const Key& to) {
  return fmt::format(
      "SELECT count(*), count(*) FILTER (WHERE v IN (SELECT {0} FROM {1} WHERE {0} IS NOT NULL))"
      " FROM (SELECT v FROM (SELECT DISTINCT {2} AS v FROM {3} WHERE {2} IS NOT NULL)"
      " ORDER BY hash(v, {4}), v LIMIT {5})",
      to.Sql(), search.TableOf(to).Sql(), from.Sql(), search.TableOf(from).Sql(), kSampleSeed,
      search.in.sample_size);
}

Result<RelationshipCandidate> Measure(const Search& search, const Key& from, const Key& to) {
  auto rows = FetchJson(search.context.connection, ContainmentSql(search, from, to));
  if (!rows.has_value()) {
    return Failure(RunFailure(rows.error(), *search.TableOf(from).table));
  }
  const int64_t sampled = AsInteger(rows->front()[0]);
  const int64_t found = AsInteger(rows->front()[1]);
  return RelationshipCandidate{
      .from_table = search.TableOf(from).name,
      .from_column = from.column.name,
      .to_table = search.TableOf(to).name,
      .to_column = to.column.name,
      .containment = sampled == 0 ? 0.0 : static_cast<double>(found) / static_cast<double>(sampled),
      .sampled_values = sampled,
      .target_unique = true,
      .cardinality = from.is_unique() ? Cardinality::kOneToOne : Cardinality::kManyToOne,
      .orphans_in_sample = sampled - found};
}

// Containment first, then the same column name, then the name of the target.
bool IsBetter(const RelationshipCandidate& a, const RelationshipCandidate& b) {
  const auto rank = [](const RelationshipCandidate& one) {
    const bool same_name = EqualsIgnoringCase(one.from_column, one.to_column);
    return std::tuple(-one.containment, !same_name, one.to_table, one.to_column);
  };
  return rank(a) < rank(b);
}

Result<std::optional<RelationshipCandidate>> BestTarget(const Search& search, const Key& from) {
  std::optional<RelationshipCandidate> best;
  for (const Key& to : search.keys) {
    if (!to.is_unique() || !search.MayPoint(from, to)) continue;
    TRY_ASSIGN(RelationshipCandidate candidate, Measure(search, from, to));
    if (candidate.sampled_values == 0 || candidate.containment < search.in.min_containment) {
      continue;
    }
    if (!best || IsBetter(candidate, *best)) best = std::move(candidate);
  }
  return best;
}

}  // namespace

Result<std::string> RunTableRelationships(JobContext& context, json::View arguments) {
  TRY_ASSIGN(const TableRelationshipsIn in, json::Decode<TableRelationshipsIn>(arguments));
  Search search{.context = context, .in = in, .scopes = {}, .keys = {}};
  TableRelationshipsOut out{.candidates = {},
                            .sample_size = in.sample_size,
                            .min_containment = in.min_containment,
                            .skipped_tables = {}};
  TRY(OpenTables(search, out.skipped_tables));
  CollectKeys(search);
  for (size_t table = 0; table < search.scopes.size(); ++table) {
    TRY(CountKeys(search, table, out.skipped_tables));
  }
  for (const Key& from : search.keys) {
    if (!IsSource(search, from)) continue;
    TRY_ASSIGN(std::optional<RelationshipCandidate> best, BestTarget(search, from));
    if (best) out.candidates.push_back(*std::move(best));
  }
  std::sort(out.candidates.begin(), out.candidates.end(),
            [](const RelationshipCandidate& a, const RelationshipCandidate& b) {
              const auto rank = [](const RelationshipCandidate& one) {
                return std::tie(one.from_table, one.from_column, one.to_table, one.to_column);
              };
              return a.containment != b.containment ? a.containment > b.containment
                                                    : rank(a) < rank(b);
            });
  std::sort(out.skipped_tables.begin(), out.skipped_tables.end());
  return SendMeta(context, out);
}

}  // namespace ducat::analyst
