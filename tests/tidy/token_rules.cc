#include "tidy/token_rules.h"

#include <algorithm>

#include <fmt/format.h>

namespace ducat::tidy {
namespace {

// Tests may print: they run in no server.
bool IsTest(std::string_view path) {
  return path.starts_with("tests/") || path.ends_with("_test.cc");
}

struct Ban {
  std::string_view rule;
  std::string_view text;                  // a space in it stands for any run of white space
  std::vector<std::string_view> allowed;  // files that may use it
  std::string_view why;
};

const std::vector<Ban>& Bans() {
  static const std::vector<Ban> bans = {
      {"stdout", "std::cout", {}, "stdout carries the protocol"},
      {"stdout", "printf", {}, "stdout carries the protocol; use fmt"},
      {"stdout", "puts", {}, "stdout carries the protocol"},
      {"stdout", "putchar", {}, "stdout carries the protocol"},
      {"stdout", "stdout", {"src/app/terminal.cc"}, "stdout carries the protocol"},
      {"using-namespace", "using namespace", {}, "say where names come from"},
      {"regex", "std::regex", {}, "recurses on its input; write the scan"},
      {"catch-all",
       "catch (...)",
       {"src/worker/child/job_loop.cc", "src/mcp/request_loop.cc"},
       "only the job loop and the request loop are barriers"},
      {"throw", "throw", {}, "return an Error"},
      {"capture", "[=]", {}, "name what a lambda captures"},
      {"shell", "system", {}, "no shell is ever started"},
      {"shell", "popen", {}, "no shell is ever started"},
  };
  return bans;
}

bool IsWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t';
}

// Length of `pattern` at `at`, 0 when it does not stand there.
size_t MatchLength(std::string_view code, size_t at, std::string_view pattern) {
  size_t i = at;
  for (const char c : pattern) {
    if (c == ' ') {
      while (i < code.size() && IsSpace(code[i]))
        ++i;
    } else if (i < code.size() && code[i] == c) {
      ++i;
    } else {
      return 0;
    }
  }
  return i - at;
}

// Offsets of `pattern` where it is not a part of a longer word.
std::vector<size_t> Occurrences(std::string_view code, std::string_view pattern) {
  std::vector<size_t> found;
  for (size_t at = code.find(pattern[0]); at != std::string_view::npos;
       at = code.find(pattern[0], at + 1)) {
    const size_t length = MatchLength(code, at, pattern);
    if (length == 0) continue;
    const bool joined_left = at > 0 && IsWord(pattern.front()) && IsWord(code[at - 1]);
    const size_t end = at + length;
    const bool joined_right = end < code.size() && IsWord(pattern.back()) && IsWord(code[end]);
    if (!joined_left && !joined_right) found.push_back(at);
  }
  return found;
}

std::string_view WordBefore(std::string_view code, size_t at) {
  while (at > 0 && IsSpace(code[at - 1]))
    --at;
  size_t begin = at;
  while (begin > 0 && IsWord(code[begin - 1]))
    --begin;
  return begin == at && at > 0 ? code.substr(at - 1, 1) : code.substr(begin, at - begin);
}

// `unique_ptr<T>(new T(...))`: how a factory reaches a private constructor.
bool IsOwnedAtOnce(std::string_view code, size_t at) {
  const std::string_view before = code.substr(0, at);
  if (!before.ends_with(">(")) return false;
  const size_t statement = before.find_last_of(";{}");
  const size_t owner = before.rfind("unique_ptr<");
  return owner != std::string_view::npos &&
         (statement == std::string_view::npos || owner > statement);
}

// new and delete as expressions; `= delete`, `operator new` and `#include <new>` are none.
void CheckOwnership(const SourceFile& file, Findings& findings) {
  for (const std::string_view word : {"new", "delete"}) {
    for (const size_t at : Occurrences(file.code, word)) {
      const std::string_view before = WordBefore(file.code, at);
      if (before == "=" && word == "delete") continue;
      if (before == "operator" || before == "<" || IsOwnedAtOnce(file.code, at)) continue;
      findings.push_back({file.path, LineOf(file.code, at), "ownership",
                          fmt::format("{}: unique_ptr owns", word)});
    }
  }
}

// Process calls have the parenthesis; std::system_error and members named so are something else.
bool IsCall(std::string_view code, size_t end) {
  while (end < code.size() && IsSpace(code[end]))
    ++end;
  return end < code.size() && code[end] == '(';
}

// Offset of the `{` that fills an aggregate inside the co_await expression at `at`, else npos. The
// empty `T{}` is let through: most are default-constructed classes.
size_t BraceInside(std::string_view code, size_t at) {
  int depth = 0;
  for (size_t i = at; i < code.size(); ++i) {
    const char c = code[i];
    if (c == ';') return std::string_view::npos;
    if (c == '(') ++depth;
    if (c == ')' && --depth < 0) return std::string_view::npos;
    if (c == '{' && depth > 0 && !code.substr(i).starts_with("{}")) return i;
    if (c == '{' && depth == 0) return std::string_view::npos;
  }
  return std::string_view::npos;
}

}  // namespace

void CheckTokens(const SourceFile& file, Findings& findings) {
  if (!IsCpp(file.path)) return;
  for (const Ban& ban : Bans()) {
    if (std::find(ban.allowed.begin(), ban.allowed.end(), file.path) != ban.allowed.end()) continue;
    for (const size_t at : Occurrences(file.code, ban.text)) {
      if (ban.rule == "stdout" && IsTest(file.path)) break;
      if (ban.rule == "shell" && !IsCall(file.code, at + ban.text.size())) continue;
      findings.push_back({file.path, LineOf(file.code, at), std::string(ban.rule),
                          fmt::format("{}: {}", ban.text, ban.why)});
    }
  }
  CheckOwnership(file, findings);
  const size_t manager = file.code.find("Manager");
  if (manager != std::string::npos) {
    findings.push_back(
        {file.path, LineOf(file.code, manager), "empty-name", "name it after what it does"});
  }
  const std::string blocking = fmt::format("TODO({})", "now");
  const size_t todo = file.text.find(blocking);
  if (todo != std::string::npos) {
    findings.push_back({file.path, LineOf(file.text, todo), "todo", "do it before it lands"});
  }
}

void CheckCoroutineTemporaries(const SourceFile& file, Findings& findings) {
  if (!IsCpp(file.path)) return;
  for (const size_t at : Occurrences(file.code, "co_await")) {
    const size_t brace = BraceInside(file.code, at);
    if (brace == std::string_view::npos) continue;
    findings.push_back({file.path, LineOf(file.code, brace), "co-await-temporary",
                        "an aggregate or lambda inside co_await(...): bind it to a named local"});
  }
}

}  // namespace ducat::tidy
