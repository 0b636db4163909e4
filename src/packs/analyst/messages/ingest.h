#pragma once
// Messages of the jobs "ingest_file" and "database_objects": what the catalog learns about a file
// or about the attached database. Plain values, shared by the control plane and the jobs; no
// engine. Both answer in META.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/shape.h"
#include "worker/catalog.h"

namespace ducat::analyst {

// Decided by the extension (analyst.md 2.1). JSON of every spelling is one reader: its layout is
// chosen by content.
enum class FileFormat : uint8_t { kCsv, kTsv, kParquet, kJson, kJsonl, kNdjson };
enum class ObjectKind : uint8_t { kTable, kView };

}  // namespace ducat::analyst

template <>
struct ducat::json::EnumNames<ducat::analyst::FileFormat> {
  static constexpr std::array<std::string_view, 6> kNames{"csv",  "tsv",   "parquet",
                                                          "json", "jsonl", "ndjson"};
};
template <>
struct ducat::json::EnumNames<ducat::analyst::ObjectKind> {
  static constexpr std::array<std::string_view, 2> kNames{"table", "view"};
};

namespace ducat::analyst {

// Job "ingest_file". Needs a worker of role ingest. Fails with a file reason of analyst.md 10
// (binary, corrupt, deep_nesting, empty, engine_error, line_too_long, no_records, not_found,
// outside_link, permission, too_large, too_many_columns), whose message speaks of the file and
// never of absolute paths.
struct IngestFileIn {
  std::string path;      // relative to the data directory, as listed
  bool escaped = false;  // the path is no UTF-8, and stands here escaped (base/path_text.h)
  FileFormat format = FileFormat::kCsv;
  // Unpacked bytes for each packed one, above 64 MiB; those of all are bounded like a file.
  int64_t unpack_ratio_max = 1'000;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&IngestFileIn::path>("path", "relative to the data directory"),
                      Describe<&IngestFileIn::escaped>("escaped", "the path is written with \\xHH",
                                                       {.default_json = "false"}),
                      Describe<&IngestFileIn::format>("format", "by extension"),
                      Describe<&IngestFileIn::unpack_ratio_max>(
                          "unpack_ratio_max", "unpacked bytes for each packed one",
                          {.minimum = 1, .default_json = "1000"})};
  }
};

struct LoadWarning {
  std::string code;
  std::optional<std::string> column;
  int64_t count = 0;
  std::string message;
  std::optional<std::string> suggestion;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&LoadWarning::code>("code", "Stable id."),
                      Describe<&LoadWarning::column>("column", "Absent: the whole file."),
                      Describe<&LoadWarning::count>("count", "Values or lines."),
                      Describe<&LoadWarning::message>("message", ""),
                      Describe<&LoadWarning::suggestion>("suggestion", "")};
  }
};

// How a delimited text was cut (analyst.md 3.3).
struct FileDialect {
  std::string delimiter, quote, escape, newline;
  bool header = true;
  std::string decimal_separator;

  static constexpr auto Fields() {
    using json::Describe;
    using T = FileDialect;
    return std::array{Describe<&T::delimiter>("delimiter", ""),
                      Describe<&T::quote>("quote", ""),
                      Describe<&T::escape>("escape", ""),
                      Describe<&T::newline>("newline", ""),
                      Describe<&T::header>("header", "The first record names the columns."),
                      Describe<&T::decimal_separator>("decimal_separator", "")};
  }
};

struct OriginalName {
  std::string column, written;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&OriginalName::column>("column", "name in the table"),
                      Describe<&OriginalName::written>("written", "name in the file")};
  }
};

// How a file was read; each is absent where the question does not arise.
struct FileFacts {
  std::optional<std::string> encoding;
  std::optional<FileDialect> dialect;
  std::optional<int64_t> rejected;  // records that are no rows
  std::vector<OriginalName> original_names;

  static constexpr auto Fields() {
    using json::Describe;
    using T = FileFacts;
    return std::array{
        Describe<&T::encoding>("encoding", "of text files"),
        Describe<&T::dialect>("dialect", "of delimited text"),
        Describe<&T::rejected>("rejected", "records left out; absent: read in place"),
        Describe<&T::original_names>("original_names", "names that could not be taken",
                                     {.default_json = "[]"})};
  }
};

struct IngestFileOut {
  // Ready for CatalogTable::columns. Columns of files are always nullable.
  std::vector<worker::CatalogColumn> columns;
  int64_t row_count = 0;
  int64_t bytes = 0;  // of the file that is to be mounted
  // True: mount the source itself (Parquet), no out.tmp was written. False: <private>/out.tmp is
  // the table.
  bool in_place = false;
  std::vector<LoadWarning> warnings;
  FileFacts facts;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&IngestFileOut::columns>("columns", "columns, in order"),
        Describe<&IngestFileOut::row_count>("row_count", "rows loaded"),
        Describe<&IngestFileOut::bytes>("bytes", "bytes of the file to mount"),
        Describe<&IngestFileOut::in_place>("in_place", "true: the source file itself is mounted"),
        Describe<&IngestFileOut::warnings>("warnings", "findings while loading"),
        Describe<&IngestFileOut::facts>("facts", "how it was read")};
  }
};

// Job "database_objects": tables and views of --db, by schema, then name. An answer holds what fits
// into one META; `next_offset` tells where to go on.
struct DatabaseObjectsIn {
  int64_t offset = 0;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&DatabaseObjectsIn::offset>("offset", "objects to skip",
                                                           {.minimum = 0, .default_json = "0"})};
  }
};

struct DatabaseColumn {
  std::string name;
  std::string type;
  bool nullable = true;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&DatabaseColumn::name>("name", "column name"),
                      Describe<&DatabaseColumn::type>("type", "type in SQL"),
                      Describe<&DatabaseColumn::nullable>("nullable", "declared without NOT NULL")};
  }
};

struct DatabaseObject {
  std::string schema;
  std::string name;
  ObjectKind kind = ObjectKind::kTable;
  std::vector<DatabaseColumn> columns;  // empty for a view that no longer binds: see problem
  // Exact for tables. Null for views: counting one runs its query.
  json::Nullable<int64_t> row_count;
  std::optional<std::string> problem;  // why it cannot be read
  std::optional<std::string> reason;   // of a problem; absent: engine_error

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{
        Describe<&DatabaseObject::schema>("schema", "schema"),
        Describe<&DatabaseObject::name>("name", "name in the schema"),
        Describe<&DatabaseObject::kind>("kind", "table or view"),
        Describe<&DatabaseObject::columns>("columns", "columns, in order"),
        Describe<&DatabaseObject::row_count>("row_count", "exact for tables, null for views"),
        Describe<&DatabaseObject::problem>("problem", "why it cannot be read"),
        Describe<&DatabaseObject::reason>("reason", "stable id of the problem")};
  }
};

struct DatabaseObjectsOut {
  std::vector<DatabaseObject> objects;
  int64_t total = 0;
  std::optional<int64_t> next_offset;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&DatabaseObjectsOut::objects>("objects", "tables and views"),
                      Describe<&DatabaseObjectsOut::total>("total", "objects in the database"),
                      Describe<&DatabaseObjectsOut::next_offset>("next_offset",
                                                                 "absent: this was the last page")};
  }
};

}  // namespace ducat::analyst
