#include "packs/analyst/tools/table_argument.h"

#include <algorithm>

#include "base/text.h"

namespace ducat::analyst {
namespace {

constexpr size_t kNearNames = 3;
constexpr size_t kNamesShown = 10;

std::string Joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

// "Did you mean a or b?", else the first names there are.
std::string NamesHint(std::string_view name, std::vector<std::string> names,
                      std::string_view tool) {
  const std::vector<std::string> near =
      NearNames(name, names, kNearNames, NearFallback::kContaining);
  if (!near.empty()) {
    return "Did you mean " + Joined(near) + "? All names: " + std::string(tool) + ".";
  }
  if (names.empty()) return "There are none.";
  const bool more = names.size() > kNamesShown;
  if (more) names.resize(kNamesShown);
  return "There are: " + Joined(names) + (more ? ", ... All names: " : ". Details: ") +
         std::string(tool) + ".";
}

}  // namespace

Result<const TableEntry*> FindTable(const Catalog& catalog, std::string_view name) {
  const TableEntry* entry = catalog.Find(name);
  if (entry != nullptr) return entry;
  const std::string source = UnquotedName(name);
  for (const TableEntry* one : catalog.Listed()) {
    if (one->name.empty() || !EqualsIgnoringCase(one->source, source)) continue;
    return Fail(ErrorCode::kNotFound, "unknown_table",
                "\"" + std::string(ClipUtf8(name, 200)) + "\" is a file, not a table.",
                "Its table is " + one->name + ".");
  }
  return Fail(ErrorCode::kNotFound, "unknown_table",
              "There is no table \"" + std::string(ClipUtf8(name, 200)) + "\".",
              NamesHint(UnquotedName(name), catalog.Names(), "list_tables"));
}

Status CheckReadable(const TableEntry& entry) {
  if (!entry.loaded()) {
    Error error{.code = ErrorCode::kUnavailable,
                .reason = "table_pending",
                .message = "Table " + entry.name + " (" + entry.source + ") is still being read.",
                .hint = "Call again in a few seconds; list_tables with wait_ms waits for it.",
                .retryable = true};
    return Failure(std::move(error));
  }
  if (entry.status != TableStatus::kUnreadable) return {};
  std::string message =
      "Table " + entry.name + " (" + entry.source + ") cannot be read: " + entry.reason;
  if (!entry.detail.empty()) message += ". " + entry.detail;
  return Fail(
      ErrorCode::kFailedPrecondition, "table_unreadable", std::move(message),
      "Use another table, or have the file repaired: list_tables with status \"unreadable\" "
      "shows every such file and its reason.");
}

Status CheckHasColumns(const TableEntry& entry) {
  if (entry.status != TableStatus::kEmpty) return CheckReadable(entry);
  const std::string why = entry.detail.empty() ? "the file has no content." : entry.detail;
  return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
              "Table " + entry.name + " (" + entry.source + ") is empty: " + why,
              "It has no columns to query. Use another table; list_tables with status \"empty\" "
              "shows every such file.");
}

Result<std::vector<std::string>> FindColumns(const TableEntry& entry,
                                             const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::string& name : names) {
    const auto exact = std::ranges::find(entry.columns, name, &worker::CatalogColumn::name);
    const std::string plain = UnquotedName(name);
    const auto near = std::ranges::find_if(entry.columns, [&plain](const auto& column) {
      return EqualsIgnoringCase(column.name, plain);
    });
    const auto column = exact != entry.columns.end() ? exact : near;
    if (column == entry.columns.end()) {
      std::vector<std::string> all;
      all.reserve(entry.columns.size());
      for (const worker::CatalogColumn& one : entry.columns) {
        all.push_back(one.name);
      }
      return Fail(
          ErrorCode::kNotFound, "unknown_column",
          "Table " + entry.name + " has no column \"" + std::string(ClipUtf8(name, 200)) + "\".",
          NamesHint(plain, std::move(all), "describe_table"));
    }
    if (std::ranges::find(found, column->name) == found.end()) found.push_back(column->name);
  }
  return found;
}

}  // namespace ducat::analyst
