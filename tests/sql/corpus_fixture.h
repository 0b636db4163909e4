#pragma once
// Fixture G of the corpus (guard.md 14): a data directory with files, links and hidden names, its
// tables as a locked engine has them, and a guard per profile. Built in a temporary directory,
// removed at the end.

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "worker/child/engine/connection.h"
#include "worker/child/guard/guard.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::corpus {

struct FixtureSettings {
  int threads = 2;
  bool canvas_profile = false;  // old implicit casts (canvas.md 5)
  uint64_t memory_limit_bytes = uint64_t{1} << 30;
};

class Fixture {
 public:
  // Empty reason: ready. Reasons are the engine's.
  [[nodiscard]] static Result<std::unique_ptr<Fixture>> Build(const FixtureSettings& settings);
  ~Fixture();
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  [[nodiscard]] guard::Guard& guard(worker::Profile profile);
  [[nodiscard]] engine::Connection& connection() { return *connection_; }
  [[nodiscard]] engine::Database& database() { return *database_; }
  [[nodiscard]] worker::child::MountedCatalog& catalog() { return catalog_; }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::string data_dir() const { return root_ / "data"; }

 private:
  struct Key {};  // so that only Build makes one

 public:
  explicit Fixture(Key /*key*/) {}

 private:
  void WriteFiles() const;
  Status MakeTables();
  Result<worker::CatalogTable> MakeTable(const std::string& name, const std::string& source,
                                         const std::string& select);

  std::filesystem::path root_;
  std::unique_ptr<engine::Database> database_;
  std::unique_ptr<engine::Connection> connection_;
  worker::child::MountedCatalog catalog_;
  std::unique_ptr<guard::Guard> analyst_, canvas_;
};

}  // namespace ducat::corpus
