// list_tables: what is there to ask about (analyst.md 5.1).
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "packs/analyst/path_glob.h"
#include "packs/analyst/tools/analyst_tools.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/page_cursor.h"

namespace ducat::analyst {
namespace {

enum class StatusFilter : uint8_t { kAll, kReady, kPending, kUnreadable, kSkipped, kEmpty };

}  // namespace
}  // namespace ducat::analyst

template <>
struct ducat::json::EnumNames<ducat::analyst::StatusFilter> {
  static constexpr std::array<std::string_view, 6> kNames{"all",        "ready",   "pending",
                                                          "unreadable", "skipped", "empty"};
};

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr std::string_view kDescription =
    "List the tables you can query: data files, and tables and views of the DuckDB database. "
    "Call it first, and again when a table is unknown. For columns use describe_table; to "
    "find one, search_columns. Changes nothing.\n"
    "Parameters: pattern keeps names with this part or glob (* ?); status keeps one state; "
    "limit and cursor page; wait_ms waits for counts.\n"
    "Returns name, source, rows, columns, size and state, with the reason for unreadable "
    "files. Counts are null while pending; such a table is read on first use: query it right "
    "away.";

struct In {
  std::optional<std::string> pattern;
  StatusFilter status = StatusFilter::kAll;
  int64_t limit = 200;
  std::optional<std::string> cursor;
  int64_t wait_ms = 2000;

  static constexpr auto Fields() {
    return std::array{
        Describe<&In::pattern>("pattern",
                               "Part of a name, or a glob with * and ?; letter case ignored.",
                               {.min_length = 1, .max_length = 200}),
        Describe<&In::status>("status", "Only entries in this state.",
                              {.default_json = "\"all\"", .trim = true}),
        Describe<&In::limit>("limit", "Entries per page.",
                             {.minimum = 1, .maximum = 1000, .default_json = "200"}),
        Describe<&In::cursor>("cursor", "next_cursor of the last page.", {.max_length = 512}),
        Describe<&In::wait_ms>("wait_ms", "Longest wait for counts, in ms.",
                               {.minimum = 0, .maximum = 30000, .default_json = "2000"})};
  }
};

struct Table {
  std::string name, kind, source;
  json::Nullable<int64_t> row_count, column_count;
  TableStatus status = TableStatus::kPending;
  int64_t bytes = 0;
  json::Nullable<std::string> modified;
  int64_t warnings = 0;
  std::optional<std::string> reason, detail;

  static constexpr auto Fields() {
    return std::array{Describe<&Table::name>("name", "Name in SQL; empty if skipped."),
                      Describe<&Table::kind>("kind", "view: a file or a database view."),
                      Describe<&Table::source>("source", "Path, or db:<schema>.<name>."),
                      Describe<&Table::row_count>("row_count", "Null: not known yet."),
                      Describe<&Table::column_count>("column_count", ""),
                      Describe<&Table::status>("status", ""),
                      Describe<&Table::bytes>("bytes", ""),
                      Describe<&Table::modified>("modified", "Last change; null in the database."),
                      Describe<&Table::warnings>("warnings", "Load findings; see describe_table."),
                      Describe<&Table::reason>("reason", "Why unreadable or skipped."),
                      Describe<&Table::detail>("detail", "The same in a sentence.")};
  }
};

struct Out {
  std::vector<Table> tables;
  std::string data_dir;
  json::Nullable<std::string> database;
  int64_t total = 0, unreadable = 0;
  std::optional<std::string> next_cursor;
  std::vector<std::string> notes;

  static constexpr auto Fields() {
    return std::array{Describe<&Out::tables>("tables", "This page, by name; unreadable last."),
                      Describe<&Out::data_dir>("data_dir", "Data directory as given."),
                      Describe<&Out::database>("database", "Database file as given."),
                      Describe<&Out::total>("total", "Matches on all pages."),
                      Describe<&Out::unreadable>("unreadable", "How many cannot be read."),
                      Describe<&Out::next_cursor>("next_cursor", "Absent on the last page."),
                      Describe<&Out::notes>("notes", "")};
  }
};

bool StatusMatches(StatusFilter filter, TableStatus status) {
  switch (filter) {
    case StatusFilter::kAll:
      return true;
    case StatusFilter::kReady:
      return status == TableStatus::kReady;
    case StatusFilter::kPending:
      return status == TableStatus::kPending || status == TableStatus::kLoading;
    case StatusFilter::kUnreadable:
      return status == TableStatus::kUnreadable;
    case StatusFilter::kSkipped:
      return status == TableStatus::kSkipped;
    case StatusFilter::kEmpty:
      return status == TableStatus::kEmpty;
  }
  return false;
}

bool NameMatches(const In& in, const TableEntry& entry) {
  return !in.pattern.has_value() ||
         NameFilterMatches(*in.pattern, entry.name.empty() ? entry.source : entry.name);
}

// Place in the listing, as text that orders like it: readable tables first.
std::string ListKey(const TableEntry& entry) {
  const bool last = entry.name.empty() || entry.status == TableStatus::kUnreadable;
  return std::string(last ? "1" : "0") +
         (entry.name.empty() ? "1" + entry.source : "0" + entry.name);
}

std::string Modified(int64_t modified_ns) {
  const auto seconds = std::chrono::seconds(modified_ns / 1'000'000'000);
  std::string text = Iso8601Utc(WallTime(seconds));
  if (text.ends_with('Z')) text.replace(text.size() - 1, 1, "+00:00");
  return text;
}

Table ToTable(const TableEntry& entry) {
  Table table;
  table.name = entry.name;
  table.kind = entry.kind;
  table.source = entry.source;
  table.status = entry.status;
  table.bytes = static_cast<int64_t>(entry.bytes);
  table.warnings = static_cast<int64_t>(entry.warnings.size());
  if (entry.row_count.has_value()) table.row_count.emplace(*entry.row_count);
  if (entry.status == TableStatus::kReady || entry.status == TableStatus::kEmpty) {
    table.column_count.emplace(static_cast<int64_t>(entry.columns.size()));
  }
  if (!entry.from_database()) table.modified.emplace(Modified(entry.modified_ns));
  if (!entry.reason.empty()) table.reason = entry.reason;
  if (!entry.detail.empty()) table.detail = entry.detail;
  return table;
}

// Unread tables whose state decides what the answer holds: all that a wanted state may turn out to
// be of, else those of the page, whose counts are shown.
std::vector<std::string> UnreadTables(const Catalog& catalog, const In& in,
                                      const std::string& after) {
  std::vector<std::string> names;
  if (in.status == StatusFilter::kPending || in.status == StatusFilter::kSkipped) return names;
  int64_t on_page = 0;
  for (const TableEntry* entry : catalog.Listed()) {
    if (!NameMatches(in, *entry)) continue;
    if (in.status == StatusFilter::kAll) {
      if (!after.empty() && ListKey(*entry) <= after) continue;
      if (++on_page > in.limit) break;
    }
    if (!entry->loaded()) names.push_back(entry->name);
  }
  return names;
}

void AddNotes(const Dataset& dataset, bool pending, int64_t undecided, Out& out) {
  out.notes = dataset.settings().notes;
  if (undecided > 0) {
    out.notes.push_back(Counted(undecided, "table") +
                        " not read yet may belong here: call again, with wait_ms up to 30000.");
  } else if (out.total == 0) {
    out.notes.emplace_back(dataset.catalog().Listed().empty()
                               ? "The data directory holds no data files (.csv, .tsv, .parquet, "
                                 ".json, .jsonl, .ndjson)."
                               : "No entry matches; call again without pattern and status.");
  }
  if (pending) {
    out.notes.emplace_back(
        "Pending tables have not been read yet, so their counts are null; they are read when "
        "describe_table, query or another tool uses them.");
  }
  const ScannedDirectory& directory = dataset.directory();
  if (directory.over_limit > 0) {
    out.notes.push_back(std::to_string(directory.over_limit) +
                        " further files are beyond the limit of " +
                        std::to_string(dataset.settings().scan.files_max) + " and are not listed.");
  }
  for (const std::string& glob : directory.idle_globs) {
    out.notes.push_back("The server's " + glob + " matches no file.");
  }
  if (dataset.database_problem().has_value()) {
    out.notes.push_back("The database cannot be used: " + dataset.database_problem()->reason +
                        ". " + dataset.database_problem()->message);
  }
}

// Has what the answer needs read, as far as the wait allows. A page may gain unread tables when
// some of it turn out unreadable and move to the end.
Task<void> WaitForTables(Dataset& dataset, In in, std::string after, mcp::CallContext& context) {
  const MonotonicTime until = dataset.clock().Now() + std::chrono::milliseconds(in.wait_ms);
  for (;;) {
    std::vector<std::string> unread = UnreadTables(dataset.catalog(), in, after);
    if (unread.empty() || dataset.clock().Now() >= until) break;
    // A load that cannot run leaves entries pending: the listing itself still has its use.
    if (!co_await dataset.LoadWithin(std::move(unread), until, context)) break;
  }
  if (context.cancel.cancelled()) {
    co_return Failure(Error{.code = ErrorCode::kCancelled, .reason = "cancelled"});
  }
  co_return Result<void>{};
}

// Of the tables left out for their state: one that has not been read may have it yet.
bool IsUndecided(StatusFilter filter, const TableEntry& entry) {
  return !entry.loaded() && filter != StatusFilter::kSkipped;
}

Task<Out> ListTables(Dataset& dataset, In in, mcp::CallContext& context) {
  CO_TRY(co_await dataset.Listed(context.deadline, context.cancel));
  CO_TRY(co_await dataset.RetryDatabase());
  const uint64_t version = dataset.catalog().list_version();
  std::string after;
  if (in.cursor.has_value()) {
    CO_TRY_ASSIGN(after, DecodeCursor("tables", version, *in.cursor));
  }
  CO_TRY(co_await WaitForTables(dataset, in, after, context));

  Out out;
  out.data_dir = dataset.settings().data_dir;
  if (!dataset.settings().db_file.empty()) out.database.emplace(dataset.settings().db_file);
  bool pending = false, more = false;
  int64_t undecided = 0;
  std::string last;
  for (const TableEntry* entry : dataset.catalog().Listed()) {
    if (!NameMatches(in, *entry)) continue;
    if (!StatusMatches(in.status, entry->status)) {
      if (IsUndecided(in.status, *entry)) ++undecided;
      continue;
    }
    ++out.total;
    if (entry->status == TableStatus::kUnreadable) ++out.unreadable;
    const std::string key = ListKey(*entry);
    if (!after.empty() && key <= after) continue;
    if (std::cmp_greater_equal(out.tables.size(), in.limit)) {
      more = true;
      continue;
    }
    pending |= !entry->loaded();
    out.tables.push_back(ToTable(*entry));
    last = key;
  }
  if (more) out.next_cursor = EncodeCursor("tables", version, last);
  AddNotes(dataset, pending, undecided, out);
  co_return out;
}

void Render(const Out& out, mcp::Text& text) {
  if (!out.tables.empty()) {
    MarkdownTable table({"name", "kind", "source", "rows", "columns", "status", "bytes", "modified",
                         "warnings", "reason"});
    for (const Table& one : out.tables) {
      std::string reason = one.reason.value_or("");
      if (one.detail.has_value()) reason += (reason.empty() ? "" : ": ") + *one.detail;
      table.Row({table.Name(one.name), one.kind, table.Name(one.source), CountText(one.row_count),
                 CountText(one.column_count), StatusName(one.status), std::to_string(one.bytes),
                 one.modified.value_or(""), std::to_string(one.warnings), reason});
    }
    table.AppendTo(text);
  }
  std::string summary = std::to_string(out.tables.size()) + " of " + Counted(out.total, "table") +
                        " in " + out.data_dir;
  if (out.database.has_value()) summary += " and database " + *out.database;
  summary += ", " + std::to_string(out.unreadable) + " unreadable";
  if (out.next_cursor.has_value()) summary += "; next_cursor " + *out.next_cursor;
  text.Line(summary);
  for (const std::string& note : out.notes) {
    text.Notice(note);
  }
}

}  // namespace

mcp::Tool MakeListTables(Dataset& dataset) {
  return mcp::MakeTool<In, Out>(
      {.name = "list_tables",
       .title = "List tables",
       .description = std::string(kDescription),
       .errors = {kBadCursor},
       .scopes = {std::string(kReadScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset](In in, mcp::CallContext& context) {
        return ListTables(dataset, std::move(in), context);
      },
      &Render);
}

}  // namespace ducat::analyst
