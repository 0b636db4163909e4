#pragma once
// EngineFixture: a locked-down in-memory engine with a data and a private directory of its own, for
// unit tests of everything that needs a real one. Not linked into the product.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "worker/child/engine/connection.h"

namespace ducat::engine {

class EngineFixture : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "ducat-engine-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    for (const char* folder : {"data", "tables", "private"}) {
      std::filesystem::create_directory(root_ / folder);
    }
    settings_.data_dir = root_ / "data";
    settings_.tables_dir = root_ / "tables";
    settings_.private_dir = root_ / "private";
    settings_.memory_limit_bytes = uint64_t{512} << 20;
    Configure(settings_);
    std::filesystem::current_path(root_ / "data");  // as a worker does
    OpenEngine();
  }

  // Also a fresh one in the place of one that broke: a worker ends then.
  void OpenEngine() {
    connection_.reset();
    database_.reset();
    auto database = Database::Open(settings_);
    ASSERT_TRUE(database.has_value()) << database.error().message;
    database_ = std::make_unique<Database>(*std::move(database));
    auto connection = database_->Connect();
    ASSERT_TRUE(connection.has_value()) << connection.error().message;
    connection_ = std::make_unique<Connection>(*std::move(connection));
  }

  void TearDown() override {
    connection_.reset();
    database_.reset();
    std::filesystem::current_path(before_);
    if (!root_.empty()) std::filesystem::remove_all(root_);
  }

  // For tests that need other settings, or files before the engine opens.
  virtual void Configure(EngineSettings& settings) { static_cast<void>(settings); }

  [[nodiscard]] Connection& connection() { return *connection_; }
  [[nodiscard]] Database& database() { return *database_; }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path data_dir() const { return root_ / "data"; }

  // The one value of a statement; "(null)" for NULL, "(error) ..." when it fails.
  std::string OneText(std::string_view sql, const NamedParameters& parameters = {}) {
    auto rows = connection_->Run(sql, parameters);
    if (!rows.has_value()) return "(error) " + rows.error().type + ": " + rows.error().message;
    auto table = rows->AllText();
    if (!table.has_value()) return "(error) " + table.error().message;
    if (table->size() != 1 || (*table)[0].size() != 1) return "(not one value)";
    return (*table)[0][0].value_or("(null)");
  }

  EngineSettings settings_;

 private:
  std::filesystem::path root_, before_ = std::filesystem::current_path();
  std::unique_ptr<Database> database_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace ducat::engine
