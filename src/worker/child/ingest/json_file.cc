// JSON: the engine finds the structure over all records; texts and numbers of the first level are
// then read as written and typed like those of CSV, so that no digit and no date is changed. What
// the engine refuses or would round is rewritten first (analyst.md 3.5).
#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "worker/child/ingest/csv_walk.h"
#include "worker/child/ingest/file_failure.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/json_repair.h"
#include "worker/child/ingest/json_structure.h"
#include "worker/child/ingest/readers.h"
#include "worker/child/ingest/table_file.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteText;
using engine::Type;
using engine::TypeId;

std::string Step(const std::string& path, std::string_view name) {
  return path + kPathStep + std::string(name);
}

// Nested strings stay text: only those of the first level are typed by all their values. Numbers
// that were written as text and are whole become HUGEINT: `wide` holds their paths.
std::string NestedType(const Type& type, const std::string& path,
                       const std::set<std::string>& wide) {
  if (type.text == "VARCHAR" && wide.contains(path)) return "HUGEINT";
  switch (type.id) {
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kUuid:
      return "VARCHAR";
    case TypeId::kList:
      return NestedType(type.children[0], Step(path, "[]"), wide) + "[]";
    case TypeId::kMap:
      return fmt::format("MAP({}, {})", NestedType(type.children[0], path, {}),
                         NestedType(type.children[1], path, {}));
    case TypeId::kStruct: {
      std::string text;
      for (size_t i = 0; i < type.children.size(); ++i) {
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", engine::QuoteIdentifier(type.names[i]),
                            NestedType(type.children[i], Step(path, type.names[i]), wide));
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

// What is read: the source, or the rewritten records.
struct Records {
  std::string path;
  std::set<std::string> wide;  // paths of numbers that were written as text and are whole
  std::string_view private_dir;
};

// Texts and numbers of the first level as written, typed by all their values.
EngineResult<IngestedTable> ReadTyped(engine::Connection& connection, const Records& records,
                                      const JsonStructure& structure) {
  std::string spec;
  std::vector<TextColumn> columns;
  for (size_t i = 0; i < structure.columns.size(); ++i) {
    const std::string& name = structure.columns[i].name;
    const std::optional<TextOrigin> origin = OriginOf(structure.types[i]);
    const std::string type =
        origin ? "VARCHAR" : NestedType(structure.types[i], name, records.wide);
    spec += fmt::format("{}{}: {}", i == 0 ? "" : ", ", QuoteText(name), QuoteText(type));
    columns.push_back({.name = name,
                       .column = engine::QuoteIdentifier(name),
                       .origin = origin.value_or(TextOrigin::kTyped)});
  }
  const std::string source_sql =
      fmt::format("read_json({}, columns = {{{}}}, records = true{})",
                  engine::QuotePath(records.path), spec, JsonReaderOptions());
  auto row_count = ReadFacts(connection, source_sql, columns);
  if (!row_count.has_value()) return tl::unexpected(std::move(row_count).error());
  std::vector<TypeFinding> findings = SettleTypes(/*comma_decimals=*/false, columns);
  auto table = Write(connection, TypedSelectSql(source_sql, columns), records.private_dir);
  if (!table.has_value()) return table;
  if (table->row_count != *row_count) {
    return OwnError("file_changed", "The file changed while it was read");
  }
  table->findings = std::move(findings);
  return table;
}

TypeFinding Finding(std::string code, std::string column, int64_t count, std::string message) {
  return {.code = std::move(code),
          .column = std::move(column),
          .count = count,
          .message = std::move(message),
          .suggestion = {}};
}

EngineResult<IngestedTable> ReadRecords(engine::Connection& connection, const Records& records) {
  auto structure = FindJsonStructure(connection, records.path);
  if (!structure.has_value()) return tl::unexpected(std::move(structure).error());
  if (structure->columns.size() > kColumnsMax) {
    return OwnError("too_many_columns", fmt::format("The records have {} keys, the limit is {}",
                                                    structure->columns.size(), kColumnsMax));
  }
  const bool can_name = CanNameColumns(structure->columns);
  const auto note = [&](EngineResult<IngestedTable> table) {
    if (!table.has_value()) return table;
    table->findings.insert(table->findings.end(), structure->findings.begin(),
                           structure->findings.end());
    return table;
  };
  if (can_name) {
    auto table = ReadTyped(connection, records, *structure);
    if (table.has_value() || IsFinal(table.error()) || table.error().type == kOwnError) {
      return note(std::move(table));
    }
  }
  // Records that are no objects, keys that a column list cannot hold: as the engine sees them.
  auto table = Write(connection, "SELECT * FROM " + DetectedJson(records.path, structure->depth),
                     records.private_dir);
  if (can_name && table.has_value()) {
    table->findings.push_back(
        Finding("engine_types", {}, 1,
                "The values do not fit the types found for them; the types are the engine's"));
  }
  return note(std::move(table));
}

// Numbers that the engine would round, and must see as text. Whole ones of the first level it gives
// back as written.
std::set<std::string> TextPaths(const NumberPaths& inexact) {
  std::set<std::string> paths;
  for (const auto& [path, classes] : inexact) {
    const bool is_nested = path.find(kPathStep) != std::string::npos;
    if (is_nested || (classes & kLongNumber) != 0) paths.insert(path);
  }
  return paths;
}

std::string ShownPath(std::string path) {
  std::replace(path.begin(), path.end(), kPathStep, '.');
  return path;
}

void NoteNonstandard(int64_t count, std::vector<TypeFinding>& findings) {
  if (count == 0) return;
  findings.push_back(Finding("nonstandard_numbers", {}, count,
                             "NaN and infinities, which JSON does not have, were read as such"));
}

// What the rewriting left out and changed.
void NoteRepair(const JsonRepair& repair, const std::set<std::string>& wide,
                std::vector<TypeFinding>& findings) {
  constexpr size_t kShown = 3;
  if (repair.rejected > 0) {
    std::string shown;
    for (size_t i = 0; i < std::min(kShown, repair.bad.size()); ++i) {
      const BadJson& bad = repair.bad[i];
      shown +=
          fmt::format("{}line {}: {}: \"{}\"", i == 0 ? "" : ", ", bad.line, bad.why, bad.text);
    }
    findings.push_back(Finding("bad_record", {}, repair.rejected, "Rejected, no JSON: " + shown));
  }
  if (repair.double_keys > 0) {
    findings.push_back(Finding("duplicate_keys", {}, repair.double_keys,
                               "Of keys that an object has twice, the last value was kept"));
  }
  NoteNonstandard(repair.nonstandard_numbers, findings);
  for (const auto& [path, classes] : repair.inexact) {
    if (wide.contains(path)) continue;
    findings.push_back(Finding(
        "digits_lost", path.substr(0, path.find(kPathStep)), 1,
        fmt::format("Kept as text: numbers of {} have more digits than a numeric type holds",
                    ShownPath(path))));
  }
}

bool IsWhole(TextClasses classes) {
  return (classes & ~TextClasses{kSmallInteger | kInteger64 | kInteger128}) == 0;
}

EngineResult<IngestedTable> ReadRepaired(engine::Connection& connection, const JsonJob& job) {
  JsonRepairJob repair_job{.path = job.path,
                           .out = (std::filesystem::path(job.private_dir) / "records.tmp").string(),
                           .as_text = {},
                           .interrupted = job.interrupted};
  auto repair = RepairJson(repair_job);
  if (!repair.has_value()) return OwnError(repair.error());
  Records records{.path = repair->path, .wide = {}, .private_dir = job.private_dir};
  repair_job.as_text = TextPaths(repair->inexact);
  const bool is_sound =
      repair->rejected == 0 && repair->double_keys == 0 && repair_job.as_text.empty();
  if (is_sound) records.path = job.path;
  repair->inexact.clear();
  if (!repair_job.as_text.empty()) {
    repair = RepairJson(repair_job);
    if (!repair.has_value()) return OwnError(repair.error());
    std::erase_if(repair->inexact,
                  [&](const auto& entry) { return !repair_job.as_text.contains(entry.first); });
    for (const auto& [path, classes] : repair->inexact) {
      if (IsWhole(classes)) records.wide.insert(path);
    }
  }
  auto table = ReadRecords(connection, records);
  if (table.has_value()) NoteRepair(*repair, records.wide, table->findings);
  std::error_code ignored;
  std::filesystem::remove(repair_job.out, ignored);
  return table;
}

}  // namespace

EngineResult<IngestedTable> ReadJson(engine::Connection& connection, const JsonJob& job) {
  if (!job.depth.has_long_number()) {
    auto table =
        ReadRecords(connection, {.path = job.path, .wide = {}, .private_dir = job.private_dir});
    if (table.has_value()) NoteNonstandard(job.depth.nonstandard_numbers(), table->findings);
    if (table.has_value() || IsFinal(table.error()) || table.error().type == kOwnError) {
      return table;
    }
  }
  return ReadRepaired(connection, job);
}

}  // namespace ducat::ingest
