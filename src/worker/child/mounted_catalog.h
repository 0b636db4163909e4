#pragma once
// MountedCatalog: the catalog snapshot of this worker and its mounts in the engine (one view per table,
// casts back to types that Parquet cannot hold). Applying a delta creates and drops views; the guard
// reads names and files from it. Job thread only.

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/catalog.h"
#include "worker/hello.h"

namespace ducat::engine {
class Connection;
}

namespace ducat::worker::child {

class MountedCatalog {
 public:
  // Brings names, files and views to the delta's version. A table that cannot be mounted is kept with
  // its problem, which queries on it report (table_unreadable).
  [[nodiscard]] Status Apply(const CatalogDelta& delta, engine::Connection& connection);

  [[nodiscard]] uint64_t version() const { return version_; }
  // By name in SQL, ASCII case-insensitive; null when unknown.
  [[nodiscard]] const CatalogTable* Find(std::string_view name) const;
  [[nodiscard]] const std::map<std::string, CatalogTable, std::less<>>& tables() const { return tables_; }
  [[nodiscard]] const std::set<std::string, std::less<>>& files() const { return files_; }
  // Why a table is not mounted; empty when it is.
  [[nodiscard]] std::string_view Problem(std::string_view name) const;

 private:
  uint64_t version_ = 0;
  std::map<std::string, CatalogTable, std::less<>> tables_;
  std::map<std::string, std::string, std::less<>> problems_;
  std::set<std::string, std::less<>> files_;
};

}  // namespace ducat::worker::child
