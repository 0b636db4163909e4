#include "database_file.h"

#include <cstdio>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include "ducat_process.h"
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

bool DatabaseFile::WaitForLock(const std::filesystem::path& path) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  CHECK(fd >= 0);
  struct flock wanted{};
  const auto until = std::chrono::steady_clock::now() + kPatience;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    wanted = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0, .l_pid = 0};
    CHECK(fcntl(fd, F_GETLK, &wanted) == 0);
  } while (wanted.l_type != F_UNLCK && std::chrono::steady_clock::now() < until);
  close(fd);
  return wanted.l_type == F_UNLCK;
}

}  // namespace ducat::testing
