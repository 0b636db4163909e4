#include "database_file.h"

#include <cstdio>

#include "worker/child/engine/connection.h"

namespace ducat::testing {

struct DatabaseFile::Engine {
  engine::Database database;
  engine::Connection connection;
};

DatabaseFile::DatabaseFile(const std::filesystem::path& path) {
  const std::string folder = path.parent_path().string();
  auto database = engine::Database::Open({.data_dir = folder,
                                          .db_file = {},
                                          .tables_dir = folder,
                                          .private_dir = private_dir_.string(),
                                          .threads = 1});
  CHECK(database.has_value());
  auto connection = database->Connect();
  CHECK(connection.has_value());
  engine_ = std::make_unique<Engine>(*std::move(database), *std::move(connection));
  Run({"ATTACH " + engine::QuoteText(path.string()) + " AS w", "USE w"});
}

DatabaseFile::~DatabaseFile() {
  Run({"USE memory", "DETACH w"});
}

void DatabaseFile::Run(const std::vector<std::string>& statements) {
  for (const std::string& sql : statements) {
    auto rows = engine_->connection.Run(sql);
    if (!rows.has_value())
      std::fprintf(stderr, "%s: %s\n", sql.c_str(), rows.error().message.c_str());
    CHECK(rows.has_value());
    CHECK(rows->AllText().has_value());
  }
}

void DatabaseFile::Make(const std::filesystem::path& path,
                        const std::vector<std::string>& statements) {
  DatabaseFile(path).Run(statements);
}

}  // namespace ducat::testing
