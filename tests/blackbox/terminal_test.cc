// Commands for people on a terminal, which obeys and hides what text from data may hold.
#include <array>
#include <csignal>
#include <poll.h>
#include <pty.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>

#include "base/hidden_characters.h"
#include "base/text.h"
#include "ducat_process.h"

namespace ducat::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kHostile = "\x1b]0;owned\x07\xe2\x80\xaegpj\xc2\x9b";
constexpr const char* kShown = "\\u001b]0;owned";

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::string ReadAll(int terminal) {
  std::string all;
  std::array<char, 4096> piece{};
  pollfd waiting{.fd = terminal, .events = POLLIN, .revents = 0};
  while (poll(&waiting, 1, std::chrono::milliseconds(kPatience).count()) > 0) {
    const ssize_t got = read(terminal, piece.data(), piece.size());
    if (got <= 0) break;
    all.append(piece.data(), static_cast<size_t>(got));
  }
  return all;
}

// What a command writes with both its outputs on one terminal.
std::string RunOnTerminal(std::vector<std::string> arguments) {
  const ScratchFolder home;
  arguments.insert(arguments.begin(), DUCAT_EXECUTABLE);
  std::vector<std::string> environment = RunEnvironment(home, {});
  std::vector<char*> argv = Pointers(arguments), envp = Pointers(environment);
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, nullptr);
  CHECK(pid >= 0);
  if (pid == 0) {
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  std::string all = ReadAll(terminal);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  close(terminal);
  return all;
}

// Without the line ends of terminals and the sequence by which progress replaces itself.
std::string WithoutOwn(std::string text) {
  for (const std::string_view own : {"\r\x1b[K", "\r\n"}) {
    for (size_t at = 0; (at = text.find(own, at)) != std::string::npos;) {
      text.replace(at, own.size(), own == "\r\n" ? "\n" : "");
    }
  }
  return text;
}

std::string HiddenIn(std::string_view text) {
  std::string hidden;
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    const char32_t c = step.valid ? CodePointOf(text.substr(0, step.length)) : char32_t{0};
    if (IsHiddenCharacter(c) && c != '\n' && c != '\t') hidden += std::to_string(c) + " ";
    text.remove_prefix(step.length);
  }
  return hidden;
}

class OnATerminal : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string hostile(kHostile);
    data_.Write("good" + hostile + ".csv", "n," + hostile + "\n1," + hostile + "\n");
    const std::string in_json = R"(\u001b]0;owned\u0007\u202egpj\u009b)";
    data_.Write("t.json", R"([{"n":1,")" + in_json + R"(":")" + in_json + R"("}])");
    data_.Write("bad" + hostile + ".parquet", "this is no Parquet file");
    data_.Write(hostile + "/t.csv", "n\n1\n");
  }
  ScratchFolder data_;
};

TEST_F(OnATerminal, NoCommandShowsWhatATerminalWouldObey) {
  const std::string data = data_.string(), hostile(kHostile);
  const std::string sql = "SELECT *, '" + hostile + "' FROM t";
  const std::vector<std::vector<std::string>> commands{
      {"analyst", "--data", data, "--check"},
      {"analyst", "--data", data, "--check", "--json"},
      {"query", "--data", data, sql},
      {"query", "--data", data, sql, "--json"},
      {"query", "--data", data, sql, "--csv"},
      {"query", "--data", data, sql, "--markdown"},
      {"query", "--data", data, "EXPLAIN " + sql},
      {"query", "--data", data, "SELECT \"" + hostile + "\" FROM nowhere"},
      {"query", "--data", data, "SELECT '" + hostile + "'::INTEGER"},
      {"call", "sample_rows", "--name", "t", "--data", data},
      {"call", "sample_rows", "--name", "t", "--json", "--data", data},
      {"call", "list_tables", "--wait_ms", "30000", "--data", data},
      {"call", hostile, "--data", data},
      {"install", "cursor", "--print", "--data", data + "/" + hostile},
      {"install", hostile, "--data", data},
      {"analyst", "--data", data + "/none" + hostile},
      {"analyst", "--data", data, "--max-rows", hostile},
      {"serve", "--http", hostile, "--data", data},
      {"tools", "--" + hostile},
      {hostile}};
  for (std::vector<std::string> command : commands) {
    const std::string shown = WithoutOwn(RunOnTerminal(command));
    EXPECT_EQ(HiddenIn(shown), "") << ::testing::PrintToString(command) << "\n" << shown;
    EXPECT_THAT(shown, HasSubstr(kShown)) << ::testing::PrintToString(command);
  }
}

TEST_F(OnATerminal, APipeGetsEveryByte) {
  const std::string hostile(kHostile);
  const std::string sql = "SELECT '" + hostile + "\n' AS c";
  EXPECT_EQ(RunDucat({"query", "--data", data_.string(), sql, "--csv"}).out,
            "c\r\n\"" + hostile + "\n\"\r\n");
  EXPECT_THAT(
      RunDucat({"install", "cursor", "--print", "--data", data_.string() + "/" + hostile}).out,
      HasSubstr("\xe2\x80\xaegpj\xc2\x9b"));
}

}  // namespace
}  // namespace ducat::testing
