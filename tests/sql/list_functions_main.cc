// list_functions: prints "kind<TAB>name" of every function of the pinned engine, sorted as
// functions.tsv is.

#include <cstdio>
#include <filesystem>
#include <string>

#include "worker/child/engine/connection.h"

namespace {

int Print(ducat::engine::Connection& connection) {
  auto rows = connection.Run(
      "SELECT DISTINCT function_type, function_name FROM duckdb_functions() "
      "ORDER BY encode(function_name), function_type");
  if (!rows.has_value()) return 1;
  const auto table = rows->AllText();
  if (!table.has_value()) return 1;
  for (const auto& row : *table) {
    std::fprintf(stdout, "%s\t%s\n", row[0].value_or("").c_str(), row[1].value_or("").c_str());
  }
  return 0;
}

}  // namespace

int main() {
  const std::string folder = std::filesystem::temp_directory_path();
  auto database = ducat::engine::Database::Open(
      {.data_dir = folder, .tables_dir = folder, .private_dir = folder});
  if (!database.has_value()) {
    std::fprintf(stderr, "%s\n", database.error().message.c_str());
    return 1;
  }
  auto connection = database->Connect();
  return connection.has_value() ? Print(*connection) : 1;
}
