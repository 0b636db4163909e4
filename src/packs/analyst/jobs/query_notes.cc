#include "packs/analyst/jobs/query_notes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "packs/analyst/jobs/row_answer.h"
#include "packs/analyst/jobs/statement_facts.h"
#include "worker/child/engine/connection.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::analyst {
namespace {

using engine::QuoteIdentifier;
using worker::CatalogTable;

constexpr std::array<std::string_view, 2> kAdding{"sum", "avg"};
constexpr std::array<std::string_view, 14> kSkippingNulls{
    "sum",     "avg",      "mean",   "min",      "max",           "median",        "mode",
    "product", "variance", "stddev", "quantile", "quantile_cont", "quantile_disc", "geomean"};
constexpr size_t kNearValues = 3;
constexpr size_t kValueCharactersMax = 100;  // longer values are neither wanted nor offered

template <size_t Count>
bool IsOneOf(const std::array<std::string_view, Count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A column of a catalog table that stands in FROM.
struct BaseColumn {
  const CatalogTable* table = nullptr;
  size_t from = 0;  // index in FROM
  std::string name;
  std::string type;
  [[nodiscard]] std::string Label() const { return table->name + "." + name; }
};

class NoteWriter {
 public:
  NoteWriter(worker::child::JobContext& context, const FinishedQuery& query,
             QueryCounters& counters, StatementFacts facts)
      : context_(context), query_(query), counters_(counters), facts_(std::move(facts)) {}

  void Write() {
    AddOrderNote();
    if (query_.elapsed_ms > query_.limits.statement_ms_max) return;
    AddNearValueNotes();
    AddFanOutNotes();
    AddNullNotes();
  }

 private:
  void AddOrderNote() {
    const bool is_limited = facts_.limit.has_value() &&
                            static_cast<uint64_t>(counters_.row_count) == *facts_.limit &&
                            *facts_.limit > 0;
    if (facts_.has_order || (!is_limited && !counters_.truncated)) return;
    counters_.notes.emplace_back(
        "Without ORDER BY it is not defined which rows these are; add ORDER BY to choose them.");
  }

  void AddNearValueNotes() {
    if (counters_.row_count > 0) return;
    for (const TextFilter& filter : facts_.text_filters) {
      if (CountCodePoints(filter.value) > kValueCharactersMax) continue;
      const auto column = Resolve(filter.column);
      if (!column.has_value() || column->type != "VARCHAR" || !MayRead(*column->table)) continue;
      const std::string name = QuoteIdentifier(column->name);
      const auto table =
          Ask(fmt::format("SELECT DISTINCT {0} FROM {1} WHERE length({0}) <= {2} LIMIT {3}", name,
                          QuoteIdentifier(column->table->name), kValueCharactersMax,
                          query_.limits.distinct_max + 1));
      if (table.empty() || table.size() > static_cast<size_t>(query_.limits.distinct_max)) continue;
      AddNearValues(filter, *column, table);
    }
  }

  using Table = worker::child::MountedCatalog::Answer;

  void AddNearValues(const TextFilter& filter, const BaseColumn& column, const Table& table) {
    std::vector<std::string> values;
    for (const auto& row : table) {
      values.push_back(row[0].value_or(""));
    }
    std::sort(values.begin(), values.end());
    if (std::binary_search(values.begin(), values.end(), filter.value)) return;
    std::vector<std::string> near;
    const std::string_view wanted = Trim(filter.value);
    for (const std::string& value : values) {
      if (EqualsIgnoringCase(Trim(value), wanted)) near.push_back(value);
    }
    if (near.empty()) near = NearNames(wanted, values, kNearValues, NearFallback::kContaining);
    if (near.empty()) return;
    if (near.size() > kNearValues) near.resize(kNearValues);
    std::string note = "No row of " + column.table->name + " has " + column.name + " = " +
                       engine::QuoteText(filter.value) + "; near values:";
    for (const std::string& value : near) {
      note += (note.back() == ':' ? " " : ", ") + engine::QuoteText(value);
    }
    counters_.notes.push_back(note + ".");
  }

  // A value of one side counts once per matching row of the other.
  void AddFanOutNotes() {
    if (facts_.keys.empty()) return;
    std::set<size_t> sides;
    for (const AggregateUse& use : facts_.aggregates) {
      if (!IsOneOf(kAdding, use.function)) continue;
      const auto column = Resolve(use.column);
      if (!column.has_value() || !sides.insert(column->from).second) continue;
      AddFanOutNote(use.function, *column);
    }
  }

  void AddFanOutNote(const std::string& function, const BaseColumn& added) {
    std::vector<BaseColumn> keys;
    for (const JoinKey& key : facts_.keys) {
      auto left = Resolve(key.left);
      auto right = Resolve(key.right);
      if (!left.has_value() || !right.has_value() || left->from == right->from) return;
      keys.push_back(left->from == added.from ? *std::move(right) : *std::move(left));
    }
    const CatalogTable& other = *keys.front().table;
    // What else bounds the other side may make its key unique.
    const bool is_bounded = std::ranges::any_of(facts_.key_filters, [&](const ColumnName& filter) {
      const auto column = Resolve(filter);
      return !column.has_value() || column->from != added.from;
    });
    if (is_bounded || !MayRead(other)) return;
    std::string columns, present;
    for (const BaseColumn& key : keys) {
      columns += (columns.empty() ? "" : ", ") + QuoteIdentifier(key.name);
      present += (present.empty() ? "" : " AND ") + QuoteIdentifier(key.name) + " IS NOT NULL";
    }
    const auto table =
        Ask("SELECT max(n) FROM (SELECT count(*) AS n FROM " + QuoteIdentifier(other.name) +
            " WHERE " + present + " GROUP BY " + columns + ")");
    const int64_t largest = Number(table, 0);
    if (largest <= 1) return;
    counters_.notes.push_back("Join key " + keys.front().Label() + " is not unique (up to " +
                              WithThousands(largest) + " rows per key), so " + function + "(" +
                              added.Label() + ") counts a value once per match.");
  }

  void AddNullNotes() {
    std::set<std::string> seen;
    for (const AggregateUse& use : facts_.aggregates) {
      if (!IsOneOf(kSkippingNulls, use.function)) continue;
      const auto column = Resolve(use.column);
      if (!column.has_value() || !seen.insert(column->Label()).second) continue;
      if (!MayRead(*column->table)) continue;
      const auto table = Ask("SELECT count(*), count(" + QuoteIdentifier(column->name) + ") FROM " +
                             QuoteIdentifier(column->table->name));
      const auto rows = static_cast<double>(Number(table, 0));
      const auto present = static_cast<double>(Number(table, 1));
      const double share = rows > 0 ? (rows - present) / rows : 0;
      if (share < query_.limits.null_share_min) continue;
      counters_.notes.push_back(std::to_string(std::lround(share * 100)) + " % of " +
                                column->Label() + " is NULL; " + use.function +
                                " leaves those rows out.");
    }
  }

  // Certain only when exactly one table in FROM can be meant.
  [[nodiscard]] std::optional<BaseColumn> Resolve(const ColumnName& column) const {
    std::optional<BaseColumn> found;
    for (size_t i = 0; i < facts_.tables.size(); ++i) {
      const FromTable& from = facts_.tables[i];
      if (!column.qualifier.empty() && !EqualsIgnoringCase(column.qualifier, from.alias)) continue;
      const CatalogTable* table = context_.catalog.Find(from.name);
      if (table == nullptr) return {};
      for (const worker::CatalogColumn& candidate : table->columns) {
        if (!EqualsIgnoringCase(candidate.name, column.name)) continue;
        if (found.has_value()) return {};
        found =
            BaseColumn{.table = table, .from = i, .name = candidate.name, .type = candidate.type};
      }
    }
    return found;
  }

  // Counting rows of a file is reading its footer; objects of a database may be anything.
  bool MayRead(const CatalogTable& table) {
    if (!table.db_name.empty() || IsSpent()) return false;
    const auto count = Ask("SELECT count(*) FROM " + QuoteIdentifier(table.name));
    return !count.empty() && Number(count, 0) <= query_.limits.table_rows_max;
  }

  [[nodiscard]] bool IsSpent() const {
    return context_.interrupted() || ElapsedMs(start_) > query_.limits.notes_ms_max;
  }

  // Rows of a statement of our own; none when it fails or the budget is spent.
  Table Ask(const std::string& sql) {
    if (const Table* known = context_.catalog.FindAnswer(sql)) return *known;
    if (IsSpent()) return {};
    auto rows = context_.connection.RunWhole(sql);
    if (!rows.has_value()) return {};
    auto table = rows->AllText();
    if (!table.has_value()) return {};
    return context_.catalog.KeepAnswer(sql, *std::move(table));
  }

  static int64_t Number(const Table& table, size_t column) {
    if (table.empty()) return 0;
    const std::string text = table[0][column].value_or("0");
    int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  worker::child::JobContext& context_;
  const FinishedQuery& query_;
  QueryCounters& counters_;
  StatementFacts facts_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The syntax tree of a statement; empty when it has none. A small query is often asked again, and
// serialising costs more than reading what comes of it.
std::string TreeOf(worker::child::JobContext& context, const std::string& sql) {
  constexpr size_t kKeptBytesMax = 65'536;
  const std::string key = "tree of " + sql;
  if (const auto* known = context.catalog.FindAnswer(key)) return (*known)[0][0].value_or("");
  std::string tree = context.connection.SerializeSql(sql).value_or("");
  if (tree.size() <= kKeptBytesMax) context.catalog.KeepAnswer(key, {{tree}});
  return tree;
}

}  // namespace

void AddDataNotes(worker::child::JobContext& context, const FinishedQuery& query,
                  QueryCounters& counters) {
  auto facts = FactsOf(TreeOf(context, query.sql));
  if (facts.has_value()) NoteWriter(context, query, counters, *std::move(facts)).Write();
}

}  // namespace ducat::analyst
