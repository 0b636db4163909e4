// JSON: the engine finds the structure over all records; texts and numbers of the first level are
// then read as written and typed like those of CSV, so that no digit and no date is changed
// (analyst.md 3.5).
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "worker/child/ingest/csv_walk.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/table_file.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteText;
using engine::Type;
using engine::TypeId;

constexpr int kStructureDepthMax = 64;

std::string Options() {
  return fmt::format(", maximum_object_size = {}, hive_partitioning = false", kJsonRecordBytesMax);
}

// Nested strings stay text: only those of the first level are typed by all their values.
std::string NestedType(const Type& type) {
  switch (type.id) {
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kUuid:
      return "VARCHAR";
    case TypeId::kList:
      return NestedType(type.children[0]) + "[]";
    case TypeId::kMap:
      return fmt::format("MAP({}, {})", NestedType(type.children[0]), NestedType(type.children[1]));
    case TypeId::kStruct: {
      std::string text;
      for (size_t i = 0; i < type.children.size(); ++i) {
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", engine::QuoteIdentifier(type.names[i]),
                            NestedType(type.children[i]));
      }
      return "STRUCT(" + text + ")";
    }
    default:
      return type.text;
  }
}

std::optional<TextOrigin> OriginOf(const Type& type) {
  switch (type.id) {
    case TypeId::kDouble:
      return TextOrigin::kJsonNumber;
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kUuid:
      return TextOrigin::kJsonString;
    case TypeId::kVarchar:
      if (type.text == "VARCHAR") return TextOrigin::kJsonString;
      return std::nullopt;  // JSON
    default:
      return std::nullopt;
  }
}

// A file whose records are no objects has the one column "json"; a key that two columns could mean,
// or none, cannot be named in a column list. Such files are read as the engine sees them.
bool CanNameColumns(const std::vector<engine::ResultColumn>& columns) {
  if (columns.size() == 1 && columns.front().name == "json") return false;
  std::set<std::string> seen;
  for (const engine::ResultColumn& column : columns) {
    if (column.name.empty()) return false;
    // The engine marks the second of "a" and "A" with a suffix of its own.
    const size_t mark = column.name.rfind('_');
    if (mark != std::string::npos && mark > 0 &&
        seen.contains(AsciiLower(column.name.substr(0, mark))) &&
        column.name.find_first_not_of("0123456789", mark + 1) == std::string::npos) {
      return false;
    }
    seen.insert(AsciiLower(column.name));
  }
  return true;
}

EngineResult<IngestedTable> Write(engine::Connection& connection, const std::string& select_sql,
                                  std::string_view private_dir) {
  auto file = WriteTable(connection, select_sql, private_dir);
  if (!file.has_value()) return tl::unexpected(std::move(file).error());
  return IngestedTable{.columns = std::move(file->columns),
                       .row_count = file->row_count,
                       .bytes = file->bytes,
                       .in_place = false,
                       .findings = {}};
}

struct Structure {
  std::vector<engine::ResultColumn> columns;
  std::vector<Type> types;
};

EngineResult<Structure> FindStructure(engine::Connection& connection, const std::string& auto_sql) {
  auto rows = connection.Run("SELECT * FROM " + auto_sql + " LIMIT 0");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  return Structure{.columns = rows->columns(), .types = rows->types()};
}

// Texts and numbers of the first level as written, typed by all their values.
EngineResult<IngestedTable> ReadTyped(engine::Connection& connection, const ReadableText& text,
                                      const Structure& structure, std::string_view private_dir) {
  std::string spec;
  std::vector<TextColumn> columns;
  for (size_t i = 0; i < structure.columns.size(); ++i) {
    const std::string& name = structure.columns[i].name;
    const std::optional<TextOrigin> origin = OriginOf(structure.types[i]);
    const std::string type = origin ? "VARCHAR" : NestedType(structure.types[i]);
    spec += fmt::format("{}{}: {}", i == 0 ? "" : ", ", QuoteText(name), QuoteText(type));
    columns.push_back({.name = name,
                       .column = engine::QuoteIdentifier(name),
                       .origin = origin.value_or(TextOrigin::kTyped)});
  }
  const std::string source_sql = fmt::format("read_json({}, columns = {{{}}}, records = true{})",
                                             engine::QuotePath(text.path), spec, Options());
  auto row_count = ReadFacts(connection, source_sql, columns);
  if (!row_count.has_value()) return tl::unexpected(std::move(row_count).error());
  std::vector<TypeFinding> findings = SettleTypes(/*comma_decimals=*/false, columns);
  auto table = Write(connection, TypedSelectSql(source_sql, columns), private_dir);
  if (!table.has_value()) return table;
  if (table->row_count != *row_count) {
    return OwnError("file_changed", "The file changed while it was read");
  }
  table->findings = std::move(findings);
  return table;
}

}  // namespace

EngineResult<IngestedTable> ReadJson(engine::Connection& connection, const ReadableText& text,
                                     std::string_view private_dir) {
  const std::string auto_sql =
      fmt::format("read_json({}, sample_size = -1, maximum_depth = {}{})",
                  engine::QuotePath(text.path), kStructureDepthMax, Options());
  auto structure = FindStructure(connection, auto_sql);
  if (!structure.has_value()) return tl::unexpected(std::move(structure).error());
  if (structure->columns.size() > kColumnsMax) {
    return OwnError("too_many_columns", fmt::format("The records have {} keys, the limit is {}",
                                                    structure->columns.size(), kColumnsMax));
  }
  if (CanNameColumns(structure->columns)) {
    auto table = ReadTyped(connection, text, *structure, private_dir);
    if (table.has_value() || IsFinal(table.error()) || table.error().type == kOwnError) {
      return table;
    }
  }
  // Records that are no objects, keys that a column list cannot hold, double keys: as the engine
  // sees them.
  return Write(connection, "SELECT * FROM " + auto_sql, private_dir);
}

}  // namespace ducat::ingest
