#include "app/client_config.h"

#include <array>
#include <utility>

#include "base/text.h"
#include "json/view.h"
#include "json/writer.h"

namespace ducat::app {
namespace {

constexpr std::string_view kServerName = "ducat";
constexpr std::array kClients{
    Client{.name = "claude-desktop", .servers_key = "mcpServers", .typed = false},
    Client{.name = "claude-code", .servers_key = "mcpServers", .typed = true},
    Client{.name = "cursor", .servers_key = "mcpServers", .typed = false},
    Client{.name = "vscode", .servers_key = "servers", .typed = true}};

std::string EntryJson(const Client& client, const ServerEntry& entry) {
  std::string text;
  json::JsonWriter out(text);
  out.BeginObject();
  if (client.typed) out.Field("type", "stdio");
  out.Field("command", entry.command);
  out.Key("args");
  out.BeginArray();
  for (const std::string& arg : entry.args) {
    out.String(arg);
  }
  out.EndArray();
  out.EndObject();
  return text;
}

// Members of `object` as they are, with `key` set to `value`.
std::string WithMember(json::View object, std::string_view key, const std::string& value) {
  std::string text;
  json::JsonWriter out(text);
  out.BeginObject();
  bool replaced = false;
  object.ForEachMember([&](std::string_view name, json::View member) {
    out.Key(name);
    replaced |= name == key;
    out.Raw(name == key ? value : member.ToJson());
    return true;
  });
  if (!replaced) out.RawField(key, value);
  out.EndObject();
  return text;
}

// Compact JSON with line breaks and two blanks per level, empty containers on one line.
std::string Indented(std::string_view compact) {
  std::string text;
  size_t depth = 0;
  bool in_string = false;
  const auto new_line = [&] { text.append("\n").append(depth * 2, ' '); };
  for (size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[i];
    if (in_string) {
      text += c;
      if (c == '\\') text += compact[++i];
      in_string = c != '"';
      continue;
    }
    const bool opens = c == '{' || c == '[';
    const bool empty =
        opens && i + 1 < compact.size() && (compact[i + 1] == '}' || compact[i + 1] == ']');
    if (empty) {
      text += c;
      text += compact[++i];
    } else if (opens) {
      text += c;
      ++depth;
      new_line();
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      text += c;
    } else if (c == ',') {
      text += c;
      new_line();
    } else {
      text += c;
      if (c == ':') text += ' ';
      in_string = c == '"';
    }
  }
  return text + "\n";
}

Failure Unexpected(std::string message) {
  return Fail(ErrorCode::kFailedPrecondition, "config_unexpected", std::move(message),
              "Add the entry by hand: the same command with --print shows it.");
}

Failure NotPlainJson(std::string_view path, std::string_view problem) {
  while (problem.ends_with('.')) {
    problem.remove_suffix(1);
  }
  return Fail(
      ErrorCode::kFailedPrecondition, "config_not_json",
      std::string(path) + " is not plain JSON: " + std::string(problem) + ".",
      "Comments and trailing commas are not read, so that they cannot be lost. Add the entry "
      "by hand: the same command with --print shows it.");
}

}  // namespace

Result<Client> FindClient(std::string_view name) {
  std::string names;
  for (const Client& client : kClients) {
    if (client.name == name) return client;
    names += (names.empty() ? "" : ", ") + std::string(client.name);
  }
  return Fail(ErrorCode::kInvalidArgument, "invalid_usage",
              "There is no client \"" + std::string(name) + "\".", "Clients: " + names + ".");
}

Result<std::string> ConfigPath(const Client& client, const Environment& environment) {
  const std::optional<std::string> home = environment("HOME");
  if (!home.has_value()) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_usage",
                "HOME is not set, so the client's configuration cannot be found.",
                "Use --print and put the entry where the client reads it.");
  }
#ifdef __APPLE__
  const std::string config = *home + "/Library/Application Support";
#else
  const std::string config = environment("XDG_CONFIG_HOME").value_or(*home + "/.config");
#endif
  if (client.name == "claude-desktop") return config + "/Claude/claude_desktop_config.json";
  if (client.name == "claude-code") return *home + "/.claude.json";
  if (client.name == "cursor") return *home + "/.cursor/mcp.json";
  return config + "/Code/User/mcp.json";
}

std::string OnlyEntry(const Client& client, const ServerEntry& entry) {
  std::string text;
  json::JsonWriter out(text);
  out.BeginObject();
  out.Key(client.servers_key);
  out.BeginObject();
  out.RawField(kServerName, EntryJson(client, entry));
  out.EndObject();
  out.EndObject();
  return Indented(text);
}

Result<MergedConfig> WithEntry(const Client& client, const ServerEntry& entry,
                               std::string_view existing, std::string_view path) {
  if (Trim(existing).empty()) return MergedConfig{.content = OnlyEntry(client, entry)};
  json::Document document;
  const Result<json::View> root = document.Parse(existing, {.nodes_max = size_t{4} << 20});
  if (!root) return NotPlainJson(path, root.error().message);
  if (!root->IsObject()) return Unexpected(std::string(path) + " holds no JSON object.");
  const std::optional<json::View> servers = root->Find(client.servers_key);
  if (servers.has_value() && !servers->IsObject()) {
    return Unexpected("\"" + std::string(client.servers_key) + "\" in " + std::string(path) +
                      " is no object.");
  }
  const std::string with_entry =
      WithMember(servers.value_or(json::View()), kServerName, EntryJson(client, entry));
  return MergedConfig{.content = Indented(WithMember(*root, client.servers_key, with_entry)),
                      .replaced = servers.has_value() && servers->Find(kServerName).has_value()};
}

}  // namespace ducat::app
