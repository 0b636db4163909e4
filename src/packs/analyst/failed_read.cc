#include "packs/analyst/failed_read.h"

#include <algorithm>
#include <string>

#include "json/view.h"

namespace ducat::analyst {
namespace {

constexpr std::string_view kCode = "read_failed";

std::string TableOf(const Error& error) {
  json::Document document;
  const auto data = document.Parse("{" + error.data + "}");
  if (!data.has_value()) return {};
  const auto table = data->Find("table");
  return table.has_value() ? std::string(table->AsString().value_or("")) : std::string();
}

}  // namespace

void NoteFailedRead(const Error& error, Catalog& catalog) {
  if (error.reason != "table_unreadable" || error.data.empty()) return;
  const TableEntry* entry = catalog.Find(TableOf(error));
  const bool is_file =
      entry != nullptr && entry->status == TableStatus::kReady && !entry->from_database();
  if (!is_file || std::ranges::any_of(entry->warnings, [](const LoadWarning& warning) {
        return warning.code == kCode;
      })) {
    return;
  }
  catalog.Update(entry->name, [&error](TableEntry& table) {
    table.warnings.push_back({.code = std::string(kCode),
                              .column = {},
                              .count = 1,
                              .message = error.message,
                              .suggestion = {}});
  });
}

}  // namespace ducat::analyst
