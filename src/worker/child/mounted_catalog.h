#pragma once
// MountedCatalog: the catalog snapshot of this worker and its mounts in the engine (one view per
// table, casts back to types that Parquet cannot hold). Applying a delta creates and drops views;
// the guard reads names and files from it. Job thread only.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/child/ingest/direct_files.h"
#include "worker/hello.h"

namespace ducat::engine {
class Connection;
}

namespace ducat::worker::child {

class MountedCatalog {
 public:
  // Brings names, files and views to the delta's version. A table that cannot be mounted is kept
  // with its problem, which queries on it report (table_unreadable). Objects of the database are
  // mounted by UseDatabase. Fails only when the delta does not start at this version.
  [[nodiscard]] Status Apply(const CatalogDelta& delta, engine::Connection& connection);

  // Attaches the database and mounts what Apply left out; nothing happens when that is done.
  // Reasons: database_locked, database_invalid.
  [[nodiscard]] Status UseDatabase(engine::Connection& connection);

  [[nodiscard]] uint64_t version() const { return version_; }
  // By name in SQL, ASCII case-insensitive; null when unknown.
  [[nodiscard]] const CatalogTable* Find(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, CatalogTable, std::less<>>& tables() const {
    return tables_;
  }
  [[nodiscard]] const std::set<std::string, std::less<>>& files() const { return files_; }
  // Visible names that lead out of the data directory; none of them is in files().
  [[nodiscard]] const std::set<std::string, std::less<>>& outside_files() const {
    return outside_files_;
  }
  // What is known of files that statements read directly.
  [[nodiscard]] ingest::DirectFiles& direct_files() { return direct_files_; }
  // Why a table is not mounted; empty when it is, or when UseDatabase has not been called for it.
  [[nodiscard]] std::string_view Problem(std::string_view name) const;
  // Tables that are views of the engine now, and how often one was made or dropped.
  [[nodiscard]] size_t mounted_count() const { return mounted_.size(); }
  [[nodiscard]] uint64_t mounts() const { return mounts_; }
  [[nodiscard]] bool has_problems() const { return !problems_.empty(); }
  [[nodiscard]] bool has_database() const { return has_database_; }

  // Answers of jobs' own statements about mounted tables, by their SQL: tables do not change while
  // the version stays, so these hold until the next delta.
  using Answer = std::vector<std::vector<std::optional<std::string>>>;
  [[nodiscard]] const Answer* FindAnswer(std::string_view sql) const;
  const Answer& KeepAnswer(std::string sql, Answer answer);

 private:
  void Drop(const std::string& name, engine::Connection& connection);
  void DropAll(engine::Connection& connection);
  void Mount(const CatalogTable& table, engine::Connection& connection);

  uint64_t version_ = 0, mounts_ = 0;
  bool has_database_ = false;
  std::map<std::string, CatalogTable, std::less<>> tables_;
  std::map<std::string, std::string, std::less<>> problems_;
  std::set<std::string, std::less<>> mounted_, unmounted_database_;
  std::map<std::string, Answer, std::less<>> answers_;
  std::set<std::string, std::less<>> files_, outside_files_;
  ingest::DirectFiles direct_files_;
};

}  // namespace ducat::worker::child
