// search_columns: which table has a column of this name? (analyst.md 5.7)
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "packs/analyst/column_class.h"
#include "packs/analyst/messages/describe.h"
#include "packs/analyst/path_glob.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/page_cursor.h"
#include "packs/analyst/tools/table_access.h"

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr size_t kNearNames = 5;

constexpr std::string_view kDescription =
    "Find columns by name across all tables. Use it to learn which table holds a field and "
    "which tables share a column. For one table's columns use describe_table; for table names "
    "list_tables; for joins shown by values table_relationships. Searches names, not values; "
    "changes nothing.\n"
    "Parameters: pattern; type; limit and cursor page; wait_ms waits for files.\n"
    "Returns table, column, type and share of NULLs, exact names first. No match: near names "
    "in notes. pending_tables counts tables not read yet.";

struct In {
  std::string pattern;
  std::optional<std::string> type;
  int64_t limit = 200;
  std::optional<std::string> cursor;
  int64_t wait_ms = 2000;

  static constexpr auto Fields() {
    return std::array{
        Describe<&In::pattern>("pattern", "Part of a column name, or a glob with * and ?.",
                               {.min_length = 1, .max_length = 200, .free_text = true}),
        Describe<&In::type>("type", "numeric, text, temporal or a SQL type.",
                            {.max_length = 100, .trim = true}),
        Describe<&In::limit>("limit", "Matches per page.",
                             {.minimum = 1, .maximum = 1000, .default_json = "200"}),
        Describe<&In::cursor>("cursor", "next_cursor of the last page.", {.max_length = 512}),
        Describe<&In::wait_ms>("wait_ms", "Longest wait for files, in ms.",
                               {.minimum = 0, .maximum = 30000, .default_json = "2000"})};
  }
};

struct Match {
  std::string table, column, type;
  json::Nullable<double> null_pct;

  static constexpr auto Fields() {
    return std::array{Describe<&Match::table>("table", ""), Describe<&Match::column>("column", ""),
                      Describe<&Match::type>("type", ""),
                      Describe<&Match::null_pct>("null_pct", "Percent NULL; null: not known.")};
  }
};

struct Out {
  std::string pattern;
  std::vector<Match> matches;
  int64_t total = 0, pending_tables = 0;
  std::optional<std::string> next_cursor;
  std::vector<std::string> notes;

  static constexpr auto Fields() {
    return std::array{Describe<&Out::pattern>("pattern", ""),
                      Describe<&Out::matches>("matches", "Exact names first, then by table."),
                      Describe<&Out::total>("total", "Matches on all pages."),
                      Describe<&Out::pending_tables>("pending_tables", "Tables not read yet."),
                      Describe<&Out::next_cursor>("next_cursor", "Absent on the last page."),
                      Describe<&Out::notes>("notes", "")};
  }
};

// Matches of all readable tables in the order of the answer, and every column name for near ones.
struct Found {
  std::vector<Match> matches;
  std::vector<std::string> names;
  int64_t pending = 0;
};

Found FindMatches(const Catalog& catalog, const In& in) {
  Found found;
  std::vector<Match> exact;
  for (const TableEntry* entry : catalog.Listed()) {
    if (!entry->loaded()) ++found.pending;
    if (entry->status != TableStatus::kReady) continue;
    for (const worker::CatalogColumn& column : entry->columns) {
      found.names.push_back(column.name);
      if (!NameFilterMatches(in.pattern, column.name)) continue;
      if (in.type.has_value() && !TypeMatches(*in.type, column.type)) continue;
      const bool same = EqualsIgnoringCase(column.name, in.pattern);
      (same ? exact : found.matches)
          .push_back(
              {.table = entry->name, .column = column.name, .type = column.type, .null_pct = {}});
    }
  }
  found.matches.insert(found.matches.begin(), exact.begin(), exact.end());
  return found;
}

// NULL shares are an extra: when they cannot be had, the matches stand without them.
Task<void> AddNullShares(Dataset& dataset, std::vector<Match>& matches, mcp::CallContext& context) {
  ColumnNullsIn arguments;
  for (const Match& match : matches) {
    if (arguments.tables.empty() || arguments.tables.back().name != match.table) {
      arguments.tables.push_back({.name = match.table, .columns = {}});
    }
    arguments.tables.back().columns.push_back(match.column);
  }
  if (arguments.tables.empty()) co_return Result<void>{};
  const Result<ColumnNullsOut> nulls =
      co_await RunMetaJob<ColumnNullsOut>(dataset, "column_nulls", std::move(arguments), context);
  if (!nulls) co_return Result<void>{};
  std::map<std::pair<std::string, std::string>, double> shares;
  for (const ColumnNulls& one : nulls->columns) {
    shares[{one.table, one.column}] = one.null_pct;
  }
  for (Match& match : matches) {
    const auto share = shares.find({match.table, match.column});
    if (share != shares.end()) match.null_pct.emplace(share->second);
  }
  co_return Result<void>{};
}

// A type that some column has needs no list.
Status CheckType(const Catalog& catalog, const In& in) {
  if (!in.type.has_value() || IsTypeOrClass(*in.type)) return {};
  for (const TableEntry* entry : catalog.Listed()) {
    for (const worker::CatalogColumn& column : entry->columns) {
      if (TypeMatches(*in.type, column.type)) return {};
    }
  }
  return Fail(ErrorCode::kInvalidArgument, "invalid_arguments",
              "type: there is no type \"" + std::string(ClipUtf8(*in.type, 100)) + "\".",
              "Use " + std::string(TypesAndClasses()) + ".");
}

Result<size_t> StartOf(const In& in, uint64_t version) {
  if (!in.cursor.has_value()) return size_t{0};
  TRY_ASSIGN(const std::string last, DecodeCursor("columns:" + in.pattern, version, *in.cursor));
  size_t position = 0;
  for (const char c : last) {
    position = position * 10 + static_cast<size_t>(c - '0');
  }
  return position;
}

// `names` are all columns searched.
void AddNotes(const In& in, std::vector<std::string> names, Out& out) {
  const bool complete = out.pending_tables == 0;
  if (out.total == 0) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
    std::string near;
    for (const std::string& name :
         NearNames(in.pattern, names, kNearNames, NearFallback::kContaining)) {
      near += (near.empty() ? "" : ", ") + name;
    }
    out.notes.push_back(
        (complete ? "No column matches." : "No column of the tables read matches.") +
        (near.empty() ? "" : " Near names: " + near + "."));
  }
  if (!complete) {
    out.notes.push_back(Counted(out.pending_tables, "table") +
                        " not read yet may have more: call again, with wait_ms up to 30000.");
  }
}

Task<Out> SearchColumns(Dataset& dataset, In in, mcp::CallContext& context) {
  CO_TRY(co_await dataset.Listed(context.deadline, context.cancel));
  const MonotonicTime until = dataset.clock().Now() + std::chrono::milliseconds(in.wait_ms);
  CO_TRY(co_await dataset.LoadWithin({}, until, context));

  CO_TRY(CheckType(dataset.catalog(), in));
  // A match that appears while pages are read would shift them: cursors follow the whole version.
  const uint64_t version = dataset.catalog().version();
  CO_TRY_ASSIGN(const size_t start, StartOf(in, version));
  Found found = FindMatches(dataset.catalog(), in);
  Out out;
  out.pattern = in.pattern;
  out.total = static_cast<int64_t>(found.matches.size());
  out.pending_tables = found.pending;
  const size_t end = std::min(found.matches.size(), start + static_cast<size_t>(in.limit));
  for (size_t i = start; i < end; ++i) {
    out.matches.push_back(std::move(found.matches[i]));
  }
  if (end < found.matches.size()) {
    out.next_cursor = EncodeCursor("columns:" + in.pattern, version, std::to_string(end));
  }
  CO_TRY(co_await AddNullShares(dataset, out.matches, context));
  AddNotes(in, std::move(found.names), out);
  co_return out;
}

void Render(const Out& out, mcp::Text& text) {
  if (!out.matches.empty()) {
    MarkdownTable table({"table", "column", "type", "null %"});
    for (const Match& match : out.matches) {
      std::string share = "?";
      if (match.null_pct.has_value()) {
        share.clear();
        json::AppendShortest(share, *match.null_pct);
      }
      table.Row({table.Name(match.table), table.Name(match.column), match.type, share});
    }
    table.AppendTo(text);
  }
  std::string line = std::to_string(out.matches.size()) + " of " + std::to_string(out.total) +
                     (out.total == 1 ? " match for \"" : " matches for \"") + out.pattern + "\"";
  line += ", " + Counted(out.pending_tables, "table") + " not read yet";
  if (out.next_cursor.has_value()) line += "; next_cursor " + *out.next_cursor;
  text.Line(line);
  for (const std::string& note : out.notes) {
    text.Notice(note);
  }
}

}  // namespace

mcp::Tool MakeSearchColumns(Dataset& dataset) {
  return mcp::MakeTool<In, Out>(
      {.name = "search_columns",
       .title = "Search columns",
       .description = std::string(kDescription),
       .errors = {kBadCursor},
       .scopes = {std::string(kReadScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset](In in, mcp::CallContext& context) {
        return SearchColumns(dataset, std::move(in), context);
      },
      &Render);
}

}  // namespace ducat::analyst
