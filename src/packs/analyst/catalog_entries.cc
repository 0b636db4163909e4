#include "packs/analyst/catalog_entries.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/path_text.h"
#include "base/text.h"
#include "packs/analyst/table_names.h"

namespace ducat::analyst {
namespace {

TableEntry FromFile(const ScannedFile& file) {
  TableEntry entry;
  entry.kind = "view";
  entry.source = ShownPath(file.path);
  entry.escaped = entry.source != file.path;
  entry.bytes = file.bytes;
  entry.modified_ns = file.modified_ns;
  entry.format = file.format;
  if (file.bytes == 0) {
    entry.status = TableStatus::kEmpty;
    entry.detail = "The file has no bytes.";
    entry.row_count = 0;
  }
  return entry;
}

TableEntry FromSkipped(const SkippedFile& file) {
  TableEntry entry;
  entry.kind = "view";
  entry.source = ShownPath(file.path);
  entry.escaped = entry.source != file.path;
  entry.status = TableStatus::kSkipped;
  entry.reason = file.reason;
  entry.bytes = file.bytes;
  entry.modified_ns = file.modified_ns;
  return entry;
}

bool Holds(const std::vector<ScannedFile>& files, const std::string& path) {
  const auto found = std::ranges::lower_bound(files, path, {}, &ScannedFile::path);
  return found != files.end() && found->path == path;
}

TableEntry FromObject(const DatabaseObject& object) {
  TableEntry entry;
  entry.kind = object.kind == ObjectKind::kTable ? "table" : "view";
  entry.source = "db:" + object.schema + "." + object.name;
  entry.db_schema = object.schema;
  entry.db_name = object.name;
  entry.row_count = object.row_count;
  for (const DatabaseColumn& column : object.columns) {
    entry.columns.push_back({.name = column.name, .type = column.type, .carrier = {}});
    entry.nullable.push_back(column.nullable);
  }
  entry.status = TableStatus::kReady;
  if (object.problem.has_value()) {
    entry.status = TableStatus::kUnreadable;
    entry.reason = object.reason.value_or("engine_error");
    entry.detail = *object.problem;
  }
  return entry;
}

}  // namespace

std::vector<TableEntry> NamedEntries(const ScannedDirectory& directory,
                                     const std::vector<DatabaseObject>& objects,
                                     NameAssignment& names) {
  std::vector<TableEntry> entries;
  entries.reserve(objects.size() + directory.files.size() + directory.skipped.size());
  std::map<std::string, int> schemas_with;  // how many schemas hold this name
  for (const DatabaseObject& object : objects) {
    ++schemas_with[AsciiLower(object.name)];
  }
  for (const DatabaseObject& object : objects) {
    TableEntry entry = FromObject(object);
    const std::string name = AsciiLower(object.name);
    const std::string qualified = AsciiLower(object.schema) + "_" + name;
    entry.name = names.Assign(entry.source, schemas_with.at(name) > 1 ? qualified : name);
    entries.push_back(std::move(entry));
  }
  for (const ScannedFile& file : directory.files) {
    TableEntry entry = FromFile(file);
    if (entry.escaped && Holds(directory.files, entry.source)) {
      entry.status = TableStatus::kSkipped;
      entry.reason = "ambiguous_name";
      entry.detail = "Written out, its name is that of another file: rename one of them.";
    } else {
      entry.name = names.Assign(entry.source, TableName(file.path));
    }
    entries.push_back(std::move(entry));
  }
  for (const SkippedFile& file : directory.skipped) {
    entries.push_back(FromSkipped(file));
  }
  return entries;
}

}  // namespace ducat::analyst
