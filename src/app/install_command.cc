// `ducat install`: this server in an MCP client's configuration.
#include <string>
#include <utility>

#include "app/client_config.h"
#include "app/commands.h"
#include "app/data_paths.h"
#include "base/atomic_file.h"

namespace ducat::app {
namespace {

constexpr size_t kConfigMax = size_t{64} << 20;
constexpr std::string_view kBackupEnding = ".before-ducat";
constexpr int kBackupsMax = 100;

// The flags as given, with paths made absolute: a client starts the server from its own directory.
Result<ServerEntry> EntryFor(const Settings& settings, const CommandLine& line) {
  ServerEntry entry;
  TRY_ASSIGN(entry.command, OwnExecutable());
  entry.args.emplace_back("analyst");
  for (const Flag& flag : PackFlags()) {  // a scope that install lacks is not in line.flags
    const auto values = line.flags.find(flag.name);
    if (values == line.flags.end()) continue;
    for (std::string value : values->second) {
      entry.args.push_back("--" + std::string(flag.name));
      if (flag.value.empty()) continue;
      if (flag.name == "data") value = settings.analyst.data_root;
      if (flag.name == "db") value = settings.analyst.db_root;
      if (flag.name == "saved-queries") {
        TRY_ASSIGN(value, AbsolutePath(value));
      }
      entry.args.push_back(std::move(value));
    }
  }
  return entry;
}

// Keeps `content` beside the configuration, under a name that no other copy has: what the user had
// before the first install must outlive every later one. The path of the copy.
Result<std::string> KeepCopy(const std::string& config, std::string_view content) {
  const std::string first = config + std::string(kBackupEnding);
  for (int number = 1; number <= kBackupsMax; ++number) {
    std::string path = number == 1 ? first : first + "." + std::to_string(number);
    TRY_ASSIGN(const std::optional<std::string> kept, ReadSmallFile(path, kConfigMax));
    if (kept == content) return path;
    if (kept.has_value()) continue;
    TRY(WriteFileAtomically(path, content));
    return path;
  }
  return Fail(ErrorCode::kFailedPrecondition, "backups_full",
              "There are " + std::to_string(kBackupsMax) + " copies " + first + "* already.",
              "Remove those you do not need; nothing was changed.");
}

}  // namespace

Result<int> Install(Settings settings, const CommandLine& line, Terminal& terminal) {
  TRY_ASSIGN(const Client client, FindClient(line.words.front()));
  TRY(ResolveDataPaths(settings));
  TRY_ASSIGN(const ServerEntry entry, EntryFor(settings, line));
  if (line.print) {
    terminal.Out(OnlyEntry(client, entry));
    return kExitOk;
  }
  TRY_ASSIGN(const std::string path, ConfigPath(client, ProcessEnvironment()));
  TRY_ASSIGN(const std::optional<std::string> existing, ReadSmallFile(path, kConfigMax));
  TRY_ASSIGN(const MergedConfig merged, WithEntry(client, entry, existing.value_or(""), path));
  if (merged.content == existing) {
    terminal.Out(path + " has this server already.\n");
    return kExitOk;
  }
  std::string copy;
  if (existing.has_value()) {
    TRY_ASSIGN(copy, KeepCopy(path, *existing));
  }
  TRY(WriteFileAtomically(path, merged.content));
  terminal.Out((merged.replaced ? "Replaced the entry ducat in " : "Added ducat to ") + path +
               ".\n");
  if (!copy.empty()) terminal.Out("The file as it was: " + copy + "\n");
  terminal.Out("Restart " + std::string(client.name) + " to use it.\n");
  return kExitOk;
}

}  // namespace ducat::app
