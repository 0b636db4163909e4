#include "packs/analyst/catalog.h"

#include <utility>

#include "base/path_text.h"
#include "base/result.h"
#include "base/text.h"

namespace ducat::analyst {
namespace {

bool ListedLast(const TableEntry& entry) {
  return entry.name.empty() || entry.status == TableStatus::kUnreadable ||
         entry.status == TableStatus::kSkipped;
}

worker::CatalogTable ToWorker(const TableEntry& entry) {
  return worker::CatalogTable{.name = entry.name,
                              .source = entry.source,
                              .file = entry.mounted_file,
                              .db_schema = entry.db_schema,
                              .db_name = entry.db_name,
                              .columns = entry.columns};
}

}  // namespace

std::string UnquotedName(std::string_view name) {
  std::string lower = AsciiLower(Trim(name));
  if (lower.size() < 2 || lower.front() != '"' || lower.back() != '"') return lower;
  std::string plain;
  for (size_t i = 1; i + 1 < lower.size(); ++i) {
    plain += lower[i];
    if (lower[i] == '"' && i + 2 < lower.size() && lower[i + 1] == '"') ++i;
  }
  return plain;
}

std::string_view StatusName(TableStatus status) {
  return json::EnumNames<TableStatus>::kNames.at(static_cast<size_t>(status));
}

std::string TableEntry::file_path() const {
  return escaped ? PathOfShown(source).value_or(source) : source;
}

void Catalog::Reset(std::vector<TableEntry> entries, std::vector<std::string> files) {
  reset_version_ = ++version_;
  tables_.clear();
  unnamed_.clear();
  files_ = std::move(files);
  for (TableEntry& entry : entries) {
    if (entry.name.empty()) {
      unnamed_.push_back(std::move(entry));
      continue;
    }
    std::string name = entry.name;
    const bool added =
        tables_.emplace(std::move(name), Row{.entry = std::move(entry), .changed = version_})
            .second;
    CHECK(added);
  }
}

std::vector<const TableEntry*> Catalog::Listed() const {
  std::vector<const TableEntry*> first, last;
  first.reserve(tables_.size());
  for (const auto& [name, row] : tables_) {
    (ListedLast(row.entry) ? last : first).push_back(&row.entry);
  }
  for (const TableEntry& entry : unnamed_) {
    last.push_back(&entry);
  }
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

const TableEntry* Catalog::Find(std::string_view name) const {
  const auto found = tables_.find(UnquotedName(name));
  return found == tables_.end() ? nullptr : &found->second.entry;
}

std::vector<std::string> Catalog::Names() const {
  std::vector<std::string> names;
  names.reserve(tables_.size());
  for (const auto& [name, row] : tables_) {
    names.push_back(name);
  }
  return names;
}

TableEntry& Catalog::Mutable(std::string_view name) {
  const auto found = tables_.find(name);
  CHECK(found != tables_.end());
  return found->second.entry;
}

void Catalog::Touched(std::string_view name) {
  tables_.find(name)->second.changed = ++version_;
}

worker::CatalogDelta Catalog::DeltaFrom(uint64_t version) const {
  const bool whole = version < reset_version_ || version > version_;
  worker::CatalogDelta delta;
  delta.from_version = whole ? 0 : version;
  delta.version = version_;
  for (const auto& [name, row] : tables_) {
    if (!whole && row.changed <= version) continue;
    const TableEntry& entry = row.entry;
    const bool usable = !entry.loaded() || entry.from_database() || !entry.mounted_file.empty();
    if (usable && entry.status != TableStatus::kUnreadable) {
      delta.tables.push_back(ToWorker(entry));
    } else if (!whole) {
      delta.removed.push_back(name);
    }
  }
  if (!whole) return delta;
  delta.files = files_;
  for (const TableEntry& entry : unnamed_) {
    if (entry.reason == "outside_link") delta.outside_files.push_back(entry.source);
  }
  return delta;
}

}  // namespace ducat::analyst
