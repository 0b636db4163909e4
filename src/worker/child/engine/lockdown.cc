#include "worker/child/engine/lockdown.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ducat::engine {
namespace {

class LockdownList {
 public:
  // SET GLOBAL, so that every connection of the database is under it.
  void Set(std::string_view name, const std::string& sql_value, std::string expected) {
    settings_.push_back({.name = std::string(name),
                         .statement = "SET GLOBAL " + std::string(name) + " = " + sql_value,
                         .expected = std::move(expected)});
  }
  void Set(std::string_view name, bool value) {
    const std::string text = value ? "true" : "false";
    Set(name, text, text);
  }
  void Set(std::string_view name, std::string_view text) {
    Set(name, QuoteText(text), std::string(text));
  }
  void SetBytes(std::string_view name, uint64_t bytes) {
    Set(name, QuoteText(std::to_string(bytes) + "B"), HumanBytes(bytes));
  }
  void SetList(std::string_view name, const std::vector<std::string>& values,
               std::vector<std::string> expected) {
    std::string sql = "[";
    for (const std::string& value : values) {
      if (sql.size() > 1) sql += ", ";
      sql += QuoteText(value);
    }
    std::sort(expected.begin(), expected.end());
    std::string lines;
    for (const std::string& value : expected) {
      lines += value + "\n";
    }
    Set(name, sql + "]::VARCHAR[]", lines);
    settings_.back().is_list = true;
  }
  void Require(std::string_view name, std::string_view value, bool is_list = false) {
    settings_.push_back(
        {.name = std::string(name), .expected = std::string(value), .is_list = is_list});
  }
  LockedSetting& last() { return settings_.back(); }
  std::vector<LockedSetting> Take() { return std::move(settings_); }

 private:
  std::vector<LockedSetting> settings_;
};

void AddExtensions(const EngineSettings& settings, LockdownList& list) {
  const std::string nowhere = settings.private_dir + "/none";
  list.Set("autoinstall_known_extensions", false);
  list.Set("autoload_known_extensions", false);
  list.Set("allow_community_extensions", false);
  list.Set("allow_unsigned_extensions", false);
  list.Set("allow_persistent_secrets", false);
  list.Set("secret_directory", std::string_view(nowhere));
  list.Set("extension_directory", std::string_view(nowhere));
}

void AddResources(const EngineSettings& settings, LockdownList& list) {
  const std::string threads = std::to_string(settings.threads);
  list.Set("temp_directory", std::string_view(settings.private_dir));
  list.SetBytes("max_temp_directory_size", settings.temp_limit_bytes);
  list.SetBytes("memory_limit", settings.memory_limit_bytes);
  list.Set("threads", threads, threads);
  list.Set("enable_external_file_cache", false);
  list.Set("enable_object_cache", true);
  list.Set("parquet_metadata_cache", true);
  // The one setting that cannot be global; it is off in every new connection.
  list.Set("enable_progress_bar", false);
  list.last().statement = "SET enable_progress_bar = false";
  list.Set("enable_logging", "false", "0");
}

void AddSemantics(const EngineSettings& settings, LockdownList& list) {
  list.Set("errors_as_json", true);
  list.Set("TimeZone", std::string_view("UTC"));
  list.Set("Calendar", std::string_view("gregorian"));
  if (settings.canvas_profile) list.Set("old_implicit_casting", true);
  list.Set("default_null_order", "'nulls_last'", "NULLS_LAST");
  list.Set("default_order", "'asc'", "ASC");
  list.Set("preserve_insertion_order", true);
  // Not LocalFileSystem: that breaks spilling. Reads back empty, so it is not compared.
  list.Set("disabled_filesystems", std::string_view("HTTPFileSystem"));
  list.last().is_compared = false;
  list.Set("max_expression_depth", "1000", "1000");
}

void AddFiles(const EngineSettings& settings, LockdownList& list) {
  std::vector<std::string> folders, folders_expected;
  for (const std::string& folder : {settings.data_dir, settings.tables_dir, settings.private_dir}) {
    if (folder.empty()) continue;
    folders.push_back(folder);
    folders_expected.push_back(folder.ends_with('/') ? folder : folder + "/");
  }
  std::sort(folders_expected.begin(), folders_expected.end());
  folders_expected.erase(std::unique(folders_expected.begin(), folders_expected.end()),
                         folders_expected.end());
  std::vector<std::string> files;
  if (!settings.db_file.empty()) files = {settings.db_file, settings.db_file + ".wal"};
  list.SetList("allowed_directories", folders, folders_expected);
  list.SetList("allowed_paths", files, files);
  list.Set("enable_external_access", false);
  list.Set("lock_configuration", true);
}

void AddRequired(LockdownList& list) {
  list.Require("home_directory", "");
  list.Require("allowed_configs", "", true);
  list.Require("allow_unredacted_secrets", "false");
  list.Require("custom_extension_repository", "");
  list.Require("allow_parser_override_extension", "DEFAULT");
  list.Require("log_query_path", "");
  list.Require("profiling_output", "");
}

}  // namespace

std::vector<LockedSetting> LockdownOf(const EngineSettings& settings) {
  LockdownList list;
  AddExtensions(settings, list);
  AddResources(settings, list);
  AddSemantics(settings, list);
  AddFiles(settings, list);
  AddRequired(list);
  return list.Take();
}

std::string HumanBytes(uint64_t bytes) {
  constexpr std::array<std::string_view, 6> kUnits{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  constexpr uint64_t kStep = 1024;
  uint64_t whole = bytes;
  uint64_t rest = 0;
  size_t unit = 0;
  while (whole >= kStep && unit + 1 < kUnits.size()) {
    rest = whole % kStep;
    whole /= kStep;
    ++unit;
  }
  if (unit == 0) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  return std::to_string(whole) + "." + std::to_string(rest * 10 / kStep) + " " +
         std::string(kUnits[unit]);
}

}  // namespace ducat::engine
