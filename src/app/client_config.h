#pragma once
// Configuration of MCP clients: where each keeps it, how its entry for this server looks, and how
// that entry is put into a file that holds others. Pure but for where(); no file is written here.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings.h"
#include "base/result.h"

namespace ducat::app {

struct ServerEntry {
  std::string command;            // absolute
  std::vector<std::string> args;  // absolute paths
};

struct Client {
  std::string_view name;         // "claude-desktop"
  std::string_view servers_key;  // "mcpServers"
  bool typed;                    // entries carry "type": "stdio"
};

// Fails with invalid_usage, which names the clients there are.
[[nodiscard]] Result<Client> FindClient(std::string_view name);

// The client's file for this user. Fails with invalid_usage when HOME is not set.
[[nodiscard]] Result<std::string> ConfigPath(const Client& client, const Environment& environment);

// {"mcpServers":{"ducat":{...}}}, as indented JSON.
[[nodiscard]] std::string OnlyEntry(const Client& client, const ServerEntry& entry);

struct MergedConfig {
  std::string content;
  bool replaced = false;  // an entry of this server was there
};

// `existing` with the entry added or replaced; everything else keeps its value and its order. Empty
// text counts as no file. Fails with config_not_json (comments, for example), and config_unexpected
// when it is JSON of another form; both name `path`, where it was read.
[[nodiscard]] Result<MergedConfig> WithEntry(const Client& client, const ServerEntry& entry,
                                             std::string_view existing, std::string_view path);

}  // namespace ducat::app
