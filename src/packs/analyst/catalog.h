#pragma once
// Catalog: every table the server knows, its state, and the visible files, under one version
// number. Readers on the control thread never see half a change: a change is complete when its
// function returns. Workers follow by deltas. Owned by the pack.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "packs/analyst/messages/ingest.h"
#include "worker/catalog.h"

namespace ducat::analyst {

enum class TableStatus : uint8_t { kReady, kPending, kLoading, kEmpty, kUnreadable, kSkipped };

}  // namespace ducat::analyst

template <>
struct ducat::json::EnumNames<ducat::analyst::TableStatus> {
  static constexpr std::array<std::string_view, 6> kNames{"ready", "pending",    "loading",
                                                          "empty", "unreadable", "skipped"};
};

namespace ducat::analyst {

[[nodiscard]] std::string_view StatusName(TableStatus status);

// A name as agents write it: outer blanks and optional double quotes removed, lower case.
[[nodiscard]] std::string UnquotedName(std::string_view name);

struct TableEntry {
  std::string name;      // empty for skipped files: they are listed, but no table
  std::string kind;      // "view" for files; "table" or "view" for database objects
  std::string source;    // relative path, or "db:<schema>.<name>"
  bool escaped = false;  // the path is no UTF-8, and `source` its escaped form (base/path_text.h)
  TableStatus status = TableStatus::kPending;
  std::string reason;  // of unreadable and skipped entries (analyst.md 10)
  std::string detail;  // a sentence about it, for people and agents
  std::optional<int64_t> row_count;
  std::vector<worker::CatalogColumn> columns;
  std::vector<bool> nullable;  // beside columns; empty: all are
  uint64_t bytes = 0;
  int64_t modified_ns = 0;
  FileFormat format = FileFormat::kCsv;
  std::vector<LoadWarning> warnings;
  FileFacts facts;                 // of a file that was read
  std::string mounted_file;        // absolute path of what a worker reads; empty until ready
  std::string db_schema, db_name;  // database objects

  // The bytes of the relative path of a file.
  [[nodiscard]] std::string file_path() const;
  [[nodiscard]] bool from_database() const { return !db_schema.empty(); }
  [[nodiscard]] bool loaded() const {
    return status != TableStatus::kPending && status != TableStatus::kLoading;
  }
};

class Catalog {
 public:
  // Replaces everything, as after a walk of the directory. Names are settled; entries without one
  // are listed only. `files` are the visible files that literal paths may name.
  void Reset(std::vector<TableEntry> entries, std::vector<std::string> files);

  // By table name, ASCII case-insensitive, optional double quotes; null when unknown.
  [[nodiscard]] const TableEntry* Find(std::string_view name) const;
  // Ordered by name; entries that are no readable table last (analyst.md 5.1).
  // Pointers hold until the catalog changes.
  [[nodiscard]] std::vector<const TableEntry*> Listed() const;
  [[nodiscard]] std::vector<std::string> Names() const;

  // Changes one table under a new version. `name` must exist.
  template <class Change>
  void Update(std::string_view name, Change change) {
    change(Mutable(name));
    Touched(name);
  }

  [[nodiscard]] uint64_t version() const { return version_; }
  // Moves only when tables appear or go, not when one is loaded.
  [[nodiscard]] uint64_t list_version() const { return reset_version_; }
  [[nodiscard]] worker::CatalogDelta DeltaFrom(uint64_t version) const;

 private:
  struct Row {
    TableEntry entry;
    uint64_t changed = 0;  // version
  };
  [[nodiscard]] TableEntry& Mutable(std::string_view name);
  void Touched(std::string_view name);

  uint64_t version_ = 0;
  uint64_t reset_version_ = 0;
  std::map<std::string, Row, std::less<>> tables_;  // by name
  std::vector<TableEntry> unnamed_;
  std::vector<std::string> files_;
};

}  // namespace ducat::analyst
