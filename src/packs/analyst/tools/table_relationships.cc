// table_relationships: join keys that hold by their values (analyst.md 5.8).
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "packs/analyst/messages/relationships.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/table_access.h"
#include "packs/analyst/tools/table_argument.h"

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr std::string_view kDescription =
    "Find columns that refer to another table's key, by comparing values: likely joins. Use "
    "it before joining tables you do not know. To find columns by name use search_columns; "
    "duplicates in a key profile_table; to join query. Changes nothing.\n"
    "How: columns named like keys (customer_id) are looked up in the unique column they seem "
    "to name (same name, or id in customers); containment is the share of distinct values "
    "found.\n"
    "Parameters: tables; min_containment; sample_size; all_columns.\n"
    "Returns candidates, best first, with cardinality and orphans: evidence, not proof.";

struct In {
  std::vector<std::string> tables;
  double min_containment = 0.9;
  int64_t sample_size = 1000;
  bool all_columns = false;

  static constexpr auto Fields() {
    return std::array{
        Describe<&In::tables>("tables", "Only these; default all.",
                              {.max_items = kRelatedTablesMax, .default_json = "[]"}),
        Describe<&In::min_containment>("min_containment", "Least share found, to be reported.",
                                       {.minimum = 0, .maximum = 1, .default_json = "0.9"}),
        Describe<&In::sample_size>("sample_size", "Values looked up per column.",
                                   {.minimum = 10, .maximum = 100000, .default_json = "1000"}),
        Describe<&In::all_columns>("all_columns", "Compare columns of any name (slower).",
                                   {.default_json = "false"})};
  }
};

// Splits what was asked for into tables to compare and tables that cannot be.
struct Chosen {
  std::vector<std::string> readable, skipped;
};

Chosen Choose(const Catalog& catalog, const std::vector<std::string>& asked) {
  Chosen chosen;
  const auto add = [&chosen](const TableEntry& entry) {
    const bool full = std::cmp_greater_equal(chosen.readable.size(), kRelatedTablesMax);
    const bool ready = entry.status == TableStatus::kReady;
    (ready && !full ? chosen.readable : chosen.skipped).push_back(entry.name);
  };
  for (const std::string& name : asked) {
    add(*catalog.Find(name));
  }
  if (asked.empty()) {
    for (const TableEntry* entry : catalog.Listed()) {
      if (!entry->name.empty()) add(*entry);
    }
  }
  return chosen;
}

Result<std::vector<std::string>> Resolve(const Catalog& catalog,
                                         const std::vector<std::string>& names) {
  std::vector<std::string> resolved;
  for (const std::string& name : names) {
    TRY_ASSIGN(const TableEntry* entry, FindTable(catalog, name));
    if (std::ranges::find(resolved, entry->name) == resolved.end()) resolved.push_back(entry->name);
  }
  return resolved;
}

Task<TableRelationshipsOut> Relationships(Dataset& dataset, In in, mcp::CallContext& context) {
  const MonotonicTime until = dataset.clock().Now() + dataset.settings().timeout;
  CO_TRY(co_await dataset.Listed(until, context.cancel));
  CO_TRY_ASSIGN(const std::vector<std::string> asked, Resolve(dataset.catalog(), in.tables));
  std::vector<std::string> wanted = asked.empty() ? dataset.WorthLoading({}) : asked;
  if (!wanted.empty()) {
    CO_TRY(co_await dataset.Load(std::move(wanted), until, context));
  }

  Chosen chosen = Choose(dataset.catalog(), asked);
  TableRelationshipsOut out;
  out.sample_size = in.sample_size;
  out.min_containment = in.min_containment;
  if (!chosen.readable.empty()) {
    TableRelationshipsIn arguments{.tables = std::move(chosen.readable),
                                   .min_containment = in.min_containment,
                                   .sample_size = in.sample_size,
                                   .all_columns = in.all_columns};
    CO_TRY_ASSIGN(out, co_await RunMetaJob<TableRelationshipsOut>(dataset, "table_relationships",
                                                                  std::move(arguments), context));
  }
  for (std::string& name : chosen.skipped) {
    out.skipped_tables.push_back(std::move(name));
  }
  co_return out;
}

constexpr size_t kSkippedShown = 10;  // names in the text; the structured answer has all

std::string Share(double value) {
  std::string text;
  json::AppendShortest(text, value);
  return text;
}

void Render(const TableRelationshipsOut& out, mcp::Text& text) {
  if (!out.candidates.empty()) {
    MarkdownTable table(
        {"from", "to", "containment", "sampled", "orphans", "cardinality", "target unique"});
    for (const RelationshipCandidate& one : out.candidates) {
      table.Row({one.from_table + "." + one.from_column, one.to_table + "." + one.to_column,
                 Share(one.containment), std::to_string(one.sampled_values),
                 std::to_string(one.orphans_in_sample),
                 json::EnumNames<Cardinality>::kNames.at(static_cast<size_t>(one.cardinality)),
                 one.target_unique ? "yes" : "no"});
    }
    table.AppendTo(text);
  }
  text.Line(Counted(static_cast<int64_t>(out.candidates.size()), "candidate") + ", at most " +
            std::to_string(out.sample_size) + " values sampled, containment at least " +
            Share(out.min_containment));
  if (out.skipped_tables.empty()) return;
  const size_t shown = std::min(out.skipped_tables.size(), kSkippedShown);
  std::string skipped = "Not compared:";
  for (size_t i = 0; i < shown; ++i) {
    skipped += (i == 0 ? " " : ", ") + out.skipped_tables[i];
  }
  const size_t more = out.skipped_tables.size() - shown;
  if (more > 0) skipped += " and " + std::to_string(more) + " more";
  text.Notice(skipped + ". Name tables in tables to have them read and compared.");
}

}  // namespace

mcp::Tool MakeTableRelationships(Dataset& dataset) {
  return mcp::MakeTool<In, TableRelationshipsOut>(
      {.name = "table_relationships",
       .title = "Find relationships",
       .description = std::string(kDescription),
       .errors = {kUnknownTable, kQueryTimeout, kMemoryLimit},
       .scopes = {std::string(kReadScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset](In in, mcp::CallContext& context) {
        return Relationships(dataset, std::move(in), context);
      },
      &Render);
}

}  // namespace ducat::analyst
