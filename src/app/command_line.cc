#include "app/command_line.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/version.h"
#include "base/text.h"

namespace ducat::app {
namespace {

constexpr std::string_view kShortHelp =
    "ducat: exact and safe answers from data, for AI agents and people\n"
    "\n"
    "  ducat analyst --data DIR        serve the data files of DIR to an MCP client on stdio\n"
    "  ducat analyst --data DIR --check    list the tables and unreadable files, and exit\n"
    "  ducat serve --http --data DIR   the same over HTTP, on 127.0.0.1:8931\n"
    "  ducat query --data DIR \"SQL\"    one query in the terminal (--json, --csv, --markdown)\n"
    "  ducat call TOOL '{...}' --data DIR  what an agent would get from one tool\n"
    "  ducat tools                     the tools and what they do (--json, --markdown)\n"
    "  ducat token new --principal P   a bearer token for serve --auth token\n"
    "  ducat install CLIENT --data DIR     write the configuration of an MCP client\n"
    "\n"
    "  ducat COMMAND --help            every flag of a command\n"
    "  ducat --version\n";

constexpr std::array<std::string_view, 7> kCommands{"analyst", "serve",   "query", "call",
                                                    "tools",   "install", "token"};
constexpr const char* kHttpGroup = "HTTP, with --http";
constexpr const char* kEnvironmentNote =
    "Every flag can also be given as a variable: --result-format as DUCAT_RESULT_FORMAT.\n";

// What CLI11 fills; one per command.
struct Parsed {
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, bool> switches;
};

bool IsServer(std::string_view command) {
  return command == "analyst" || command == "serve";
}

// Whether `command` takes flags of `scope`.
bool Takes(std::string_view command, FlagScope scope) {
  const bool server = IsServer(command);
  switch (scope) {
    case FlagScope::kEverything:
      return command != "token";
    case FlagScope::kCalls:
      return command != "token" && command != "tools";
    case FlagScope::kServers:
      return server || command == "install";
    case FlagScope::kStdio:
      return command == "analyst" || command == "install";
    case FlagScope::kListening:
      return server;
  }
  return false;
}

// Which flags are on the line: others are not defined, for that costs more than the parsing. Help
// needs them all.
class NamedFlags {
 public:
  NamedFlags(int argc, const char* const* argv) {
    for (int i = 2; i < argc; ++i) {
      std::string_view word = argv[i];
      if (!word.starts_with("-") || word == "-") continue;
      word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
      names_.push_back(word.substr(0, word.find('=')));
    }
    all_ = std::ranges::any_of(names_,
                               [](std::string_view name) { return name == "help" || name == "h"; });
  }
  [[nodiscard]] bool Has(std::string_view name) const {
    return all_ || std::ranges::find(names_, name) != names_.end();
  }
  // `call` passes what it does not know on to the tool, which may have a field of that name.
  [[nodiscard]] bool WantVersion(std::string_view command) const {
    return command != "call" && std::ranges::find(names_, "version") != names_.end();
  }

 private:
  std::vector<std::string_view> names_;
  bool all_ = false;
};

// What `ducat query` has in place of the servers' defaults: a person is not sent too much.
std::string HelpOf(std::string_view command, const Flag& flag) {
  std::string help(flag.help);
  const std::string what = help.substr(0, help.find(';'));
  if (command != "query") return help;
  const analyst::RowLimits limits = QueryLimits();
  if (flag.name == "max-rows") return what + "; " + std::to_string(limits.max_rows);
  if (flag.name == "max-bytes") return what + "; " + std::to_string(limits.max_bytes);
  if (flag.name == "max-cells" || flag.name == "max-cell") return what + "; no limit";
  if (flag.name == "timeout-s") return "deadline of the query in seconds; 30";
  return help;
}

void AddFlags(CLI::App& command, std::span<const Flag> flags, const NamedFlags& named,
              Parsed& parsed) {
  const bool http = flags.data() == HttpFlags().data();
  for (const Flag& flag : flags) {
    if (!named.Has(flag.name)) continue;
    if (!http && !Takes(command.get_name(), flag.scope)) continue;
    const std::string name = "--" + std::string(flag.name);
    const std::string key(flag.name);
    if (flag.value.empty()) {
      CLI::Option* option =
          command.add_flag(name, parsed.switches[key], HelpOf(command.get_name(), flag));
      if (http) option->group(kHttpGroup);
      continue;
    }
    CLI::Option* option =
        command.add_option(name, parsed.values[key], HelpOf(command.get_name(), flag))
            ->type_name(std::string(flag.value))
            ->expected(flag.optional_value ? 0 : 1, 1)
            ->allow_extra_args(false)  // else it would eat the words after it
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (!flag.group.empty()) option->group(std::string(flag.group));
    if (http) option->group(kHttpGroup);
  }
}

Status CollectFlags(std::span<const Flag> known, const CLI::App& command, const Parsed& parsed,
                    FlagValues& flags) {
  for (const Flag& flag : known) {
    const std::string key(flag.name);
    const CLI::Option* option = command.get_option_no_throw("--" + key);
    if (option == nullptr) continue;
    if (flag.value.empty()) {
      if (parsed.switches.at(key)) flags[key] = {"true"};
      continue;
    }
    const std::vector<std::string>& given = parsed.values.at(key);
    if (given.empty() && (!flag.optional_value || option->count() == 0)) continue;
    if (given.size() > 1 && !flag.repeatable) {
      return Fail(ErrorCode::kInvalidArgument, "invalid_usage", "--" + key + " is given twice.");
    }
    flags[key] = given;
    std::erase(flags[key], "");  // what an option without its optional value leaves
  }
  return {};
}

CLI::App& AddCommand(CLI::App& app, CommandLine& line, Command command, const char* name,
                     const char* help) {
  CLI::App* added = app.add_subcommand(name, help);
  added->callback([&line, command] { line.command = command; });
  if (command != Command::kToken) added->footer(kEnvironmentNote);
  return *added;
}

void DefineQuery(CLI::App& command, CommandLine& line) {
  // More than one word is a statement without quotes: CheckWords says so.
  command.add_option("SQL", line.words, "one read-only statement, in quotes")->required();
  CLI::Option* json = command.add_flag("--json", line.json, "the structured result");
  CLI::Option* csv = command.add_flag("--csv", line.csv, "comma-separated values");
  CLI::Option* markdown = command.add_flag("--markdown", line.markdown, "a Markdown table");
  json->excludes(csv)->excludes(markdown);
  csv->excludes(markdown);
}

void DefineToken(CLI::App& command, CommandLine& line) {
  command.add_option("new", line.words, "the word new")->required()->expected(1);
  command.add_option("--principal", line.principal, "who calls with it")->required();
  command.add_option("--tenant", line.tenant, "whose data that is; default");
  command.add_option("--scope", line.scopes, "what it may do, such as analyst:read; everything");
}

// Only the command that is named gets its flags defined: they cost more than the parsing.
void Define(CLI::App& app, std::string_view command_name, const NamedFlags& named,
            CommandLine& line, Parsed& parsed) {
  const auto add = [&](Command command, const char* name, const char* help,
                       void (*define)(CLI::App&, CommandLine&)) {
    CLI::App& added = AddCommand(app, line, command, name, help);
    if (command_name != name) return;
    AddFlags(added, PackFlags(), named, parsed);
    if (IsServer(command_name)) AddFlags(added, HttpFlags(), named, parsed);
    define(added, line);
  };
  add(Command::kAnalyst, "analyst", "Serve data files to an MCP client, on stdio or over HTTP.",
      [](CLI::App& command, CommandLine& out) {
        command.add_flag("--check", out.check, "list tables and unreadable files, then exit");
        command.add_flag("--json", out.json, "with --check: as JSON");
      });
  add(Command::kServe, "serve", "Serve MCP clients over HTTP.", [](CLI::App&, CommandLine&) {});
  add(Command::kQuery, "query", "Run one query and print its rows.", &DefineQuery);
  add(Command::kCall, "call",
      "Call one tool and print what an agent would get: ducat call TOOL '{...}', or "
      "ducat call TOOL --field value.",
      [](CLI::App& command, CommandLine& out) {
        command.add_flag("--json", out.json, "the structured result");
        command.allow_extras();
      });
  add(Command::kTools, "tools", "Show the tools.", [](CLI::App& command, CommandLine& out) {
    command.add_flag("--json", out.json, "as tools/list shows them");
    command.add_flag("--markdown", out.markdown, "the reference page");
  });
  add(Command::kInstall, "install",
      "Write an MCP client's configuration for this server: claude-desktop, claude-code, cursor or "
      "vscode.",
      [](CLI::App& command, CommandLine& out) {
        command.add_option("CLIENT", out.words, "the client")->required()->expected(1);
        command.add_flag("--print", out.print, "print it instead of writing it");
      });
  add(Command::kToken, "token",
      "token new: print a bearer token for --auth token, and its line for the token file on "
      "stderr.",
      &DefineToken);
}

// Every flag that the command takes, with the dashes.
std::vector<std::string> FlagNames(const CLI::App& command) {
  std::vector<std::string> names;
  const auto add = [&names](std::string_view name) { names.push_back("--" + std::string(name)); };
  for (const Flag& flag : PackFlags()) {
    if (Takes(command.get_name(), flag.scope)) add(flag.name);
  }
  for (const Flag& flag : HttpFlags()) {
    if (Takes(command.get_name(), FlagScope::kListening)) add(flag.name);
  }
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      add(name);
    }
  }
  return names;
}

// What was not understood: a flag that is none, with near names, or else in the parser's words.
Failure Misused(const CLI::App& command, std::string problem) {
  const std::string shown = "ducat " + command.get_name();
  std::string hint = shown + " --help shows its flags.";
  for (const std::string& word : command.remaining()) {
    if (!word.starts_with("-")) continue;
    const std::string flag = word.substr(0, word.find('='));
    const std::vector<std::string> names = FlagNames(command);
    const std::vector<std::string> near = NearNames(flag, names, 1);
    if (!near.empty()) hint.insert(0, "Did you mean " + near.front() + "? ");
    problem = "There is no flag " + flag;
    problem += " of " + shown + ".";
    break;
  }
  return Fail(ErrorCode::kInvalidArgument, "invalid_usage", std::move(problem), std::move(hint));
}

Status CheckWords(const CommandLine& line) {
  if (line.command != Command::kQuery || line.words.size() < 2) return {};
  return Fail(ErrorCode::kInvalidArgument, "invalid_usage",
              "The statement came as " + std::to_string(line.words.size()) +
                  " words, beginning \"" + line.words[0] + "\", \"" + line.words[1] + "\".",
              "Put it in quotes: ducat query --data DIR \"SELECT 1\"");
}

Result<CommandLine> ShowText(std::string text) {
  CommandLine line;
  line.text = std::move(text);
  return line;
}

}  // namespace

Result<CommandLine> ParseCommandLine(int argc, const char* const* argv) {
  if (argc < 2) return ShowText(std::string(kShortHelp));
  const std::string_view first = argv[1];
  if (first == "--version" || first == "-V") return ShowText(VersionText());
  if (first == "--help" || first == "-h" || first == "help") {
    return ShowText(std::string(kShortHelp));
  }

  if (!std::ranges::any_of(kCommands, [first](std::string_view name) { return name == first; })) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_usage",
                "There is no command \"" + std::string(first) + "\".",
                "Commands: analyst, serve, query, call, tools, install, token. ducat --help shows "
                "what they do.");
  }
  CLI::App app("Exact and safe answers from data.", "ducat");
  app.require_subcommand(1);
  CommandLine line;
  Parsed parsed;
  const NamedFlags named(argc, argv);
  if (named.WantVersion(first)) return ShowText(VersionText());
  Define(app, first, named, line, parsed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return ShowText(app.help());
  } catch (const CLI::ParseError& problem) {
    return Misused(*app.get_subcommand(std::string(first)), problem.what());
  }
  if (line.command == Command::kCall) line.words = app.get_subcommand("call")->remaining();
  const CLI::App& command = *app.get_subcommand(std::string(first));
  TRY(CollectFlags(PackFlags(), command, parsed, line.flags));
  if (IsServer(first)) {
    TRY(CollectFlags(HttpFlags(), command, parsed, line.flags));
  }
  TRY(CheckWords(line));
  if (line.command == Command::kServe) line.flags.try_emplace("http");
  return line;
}

}  // namespace ducat::app
