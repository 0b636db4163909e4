#include "packs/analyst/check_report.h"

namespace ducat::analyst {

CheckReport MakeCheckReport(const Dataset& dataset) {
  CheckReport report;
  report.data_dir = dataset.settings().data_dir;
  report.other_files = dataset.directory().other_files;
  for (const TableEntry* entry : dataset.catalog().Listed()) {
    const bool table = entry->status == TableStatus::kReady || entry->status == TableStatus::kEmpty;
    if (!table) {
      report.problems.push_back({.source = entry->source,
                                 .status = std::string(StatusName(entry->status)),
                                 .reason = entry->reason,
                                 .detail = entry->detail});
      continue;
    }
    CheckedTable checked{.name = entry->name,
                         .kind = entry->kind,
                         .source = entry->source,
                         .row_count = {},
                         .column_count = {}};
    if (entry->row_count.has_value()) checked.row_count.emplace(*entry->row_count);
    checked.column_count.emplace(static_cast<int64_t>(entry->columns.size()));
    report.tables.push_back(std::move(checked));
  }
  if (dataset.database_problem().has_value()) {
    report.database_problem =
        dataset.database_problem()->reason + ": " + dataset.database_problem()->message;
  }
  return report;
}

}  // namespace ducat::analyst
