#pragma once
// CheckReport: what `--check` shows: every table, every file that is none with its reason
// (analyst.md 1). A plain value, made from a dataset that has been loaded.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "json/shape.h"
#include "packs/analyst/dataset.h"

namespace ducat::analyst {

struct CheckedTable {
  std::string name, kind, source;
  json::Nullable<int64_t> row_count, column_count;

  static constexpr auto Fields() {
    using json::Describe;
    using T = CheckedTable;
    return std::array{Describe<&T::name>("table", "table name"), Describe<&T::kind>("kind", "kind"),
                      Describe<&T::row_count>("rows", "rows"),
                      Describe<&T::column_count>("cols", "columns"),
                      Describe<&T::source>("source", "where it comes from")};
  }
};

struct CheckedFile {
  std::string source, status, reason, detail;

  static constexpr auto Fields() {
    using json::Describe;
    using T = CheckedFile;
    return std::array{Describe<&T::source>("source", "relative path"),
                      Describe<&T::status>("status", "unreadable, skipped or pending"),
                      Describe<&T::reason>("reason", "stable reason"),
                      Describe<&T::detail>("detail", "the same in a sentence")};
  }
};

struct CheckReport {
  std::string data_dir;
  std::vector<CheckedTable> tables;
  std::vector<CheckedFile> problems;
  uint64_t other_files = 0;
  std::string database_problem;

  static constexpr auto Fields() {
    using json::Describe;
    using T = CheckReport;
    return std::array{Describe<&T::data_dir>("data_dir", "data directory as given"),
                      Describe<&T::tables>("tables", "tables by name"),
                      Describe<&T::problems>("problems", "unreadable and skipped files"),
                      Describe<&T::other_files>("other_files", "visible files of no known format"),
                      Describe<&T::database_problem>("database_problem",
                                                     "why the database is missing, or empty")};
  }
};

[[nodiscard]] CheckReport MakeCheckReport(const Dataset& dataset);

}  // namespace ducat::analyst
