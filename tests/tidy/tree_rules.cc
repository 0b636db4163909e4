#include "tidy/tree_rules.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

namespace ducat::tidy {
namespace {

bool IsLibrarySource(std::string_view path) {
  if (!path.starts_with("src/") || !path.ends_with(".cc")) return false;
  for (const std::string_view kind : {"_test.cc", "_bench.cc", "_fuzz.cc", "_main.cc"}) {
    if (path.ends_with(kind)) return false;
  }
  return true;
}

std::string TestOf(std::string_view source) {
  return fmt::format("{}_test.cc", source.substr(0, source.size() - 3));
}

std::vector<std::string_view> QuotedIncludes(const SourceFile& file) {
  std::vector<std::string_view> targets;
  if (!IsCpp(file.path)) return targets;
  for (const std::string_view line : Lines(file.text)) {
    if (line.starts_with("#include \"")) {
      targets.push_back(line.substr(10, line.rfind('"') - 10));
    }
  }
  return targets;
}

// Headers below src/, as includes name them, that some test includes itself.
std::set<std::string, std::less<>> HeadersOfTests(const std::vector<SourceFile>& files) {
  std::set<std::string, std::less<>> headers;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with("_test.cc")) continue;
    for (const std::string_view target : QuotedIncludes(file))
      headers.emplace(target);
  }
  return headers;
}

// The places in Markdown that name a file: targets of links, and backticked paths of our folders.
struct Mention {
  std::string target;
  size_t line = 0;
  bool from_root = false;
};

void AddLinks(std::string_view line, size_t number, std::vector<Mention>& mentions) {
  for (size_t at = line.find("]("); at != std::string_view::npos; at = line.find("](", at + 1)) {
    const size_t end = line.find_first_of(")# ", at + 2);
    if (end == std::string_view::npos || end == at + 2) continue;
    const std::string_view target = line.substr(at + 2, end - at - 2);
    if (target.find("://") != std::string_view::npos || target.starts_with("mailto:")) continue;
    mentions.push_back({.target = std::string(target), .line = number});
  }
}

void AddPaths(std::string_view line, size_t number, std::vector<Mention>& mentions) {
  static constexpr std::array<std::string_view, 7> kFolders = {
      "src/", "tests/", "docs/", "scripts/", "examples/", "engine/", "cmake/"};
  for (size_t at = line.find('`'); at != std::string_view::npos;) {
    const size_t end = line.find('`', at + 1);
    if (end == std::string_view::npos) return;
    const std::string_view word = line.substr(at + 1, end - at - 1);
    const bool ours = std::any_of(kFolders.begin(), kFolders.end(),
                                  [word](std::string_view f) { return word.starts_with(f); });
    if (ours && word.find_first_of(" *<>{}$,…") == std::string_view::npos) {
      mentions.push_back({.target = std::string(word), .line = number, .from_root = true});
    }
    at = line.find('`', end + 1);
  }
}

std::vector<Mention> MentionsOf(const SourceFile& file) {
  std::vector<Mention> mentions;
  size_t number = 0;
  bool fenced = false;
  for (const std::string_view line : Lines(file.text)) {
    ++number;
    if (line.starts_with("```")) fenced = !fenced;
    if (fenced) continue;
    AddLinks(line, number, mentions);
    AddPaths(line, number, mentions);
  }
  return mentions;
}

}  // namespace

void CheckEverySourceHasATest(const std::vector<SourceFile>& files, const SourceFile& untested,
                              Findings& findings) {
  std::set<std::string, std::less<>> known;
  for (const SourceFile& file : files)
    known.insert(file.path);
  std::set<std::string, std::less<>> excused;
  size_t number = 0;
  for (const std::string_view line : Lines(untested.text)) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    const size_t colon = line.find(": ");
    const std::string path(line.substr(0, colon));
    const bool stale = !known.contains(path) || known.contains(TestOf(path));
    if (stale || colon == std::string_view::npos) {
      findings.push_back({untested.path, number, "untested-list",
                          stale ? "the file is gone or has its test: remove the line"
                                : "expected \"path: why it has no test beside it\""});
    }
    excused.insert(path);
  }
  const std::set<std::string, std::less<>> tested = HeadersOfTests(files);
  for (const SourceFile& file : files) {
    if (!IsLibrarySource(file.path) || known.contains(TestOf(file.path))) continue;
    const std::string_view stem(file.path.data() + 4, file.path.size() - 7);
    if (tested.contains(fmt::format("{}.h", stem))) continue;
    if (excused.contains(file.path)) continue;
    findings.push_back({file.path, 0, "no-test",
                        fmt::format("write {}, or say in {} what tests it",
                                    FileNameOf(TestOf(file.path)), untested.path)});
  }
}

void CheckNoDeadHeaders(const std::vector<SourceFile>& files, Findings& findings) {
  std::set<std::string, std::less<>> included;
  for (const SourceFile& file : files) {
    for (const std::string_view target : QuotedIncludes(file))
      included.emplace(target);
  }
  for (const SourceFile& file : files) {
    if (!IsHeader(file.path) || !file.path.starts_with("src/")) continue;
    if (included.contains(std::string_view(file.path).substr(4))) continue;
    findings.push_back({file.path, 0, "dead-header", "no file includes it"});
  }
}

void CheckDocumentLinks(const std::vector<SourceFile>& files,
                        const std::function<bool(const std::string&)>& exists, Findings& findings) {
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".md")) continue;
    const std::string_view folder = FolderOf(file.path);
    for (const Mention& mention : MentionsOf(file)) {
      const std::string target = mention.from_root || folder.empty()
                                     ? mention.target
                                     : fmt::format("{}/{}", folder, mention.target);
      if (exists(target)) continue;
      findings.push_back({file.path, mention.line, "document-link",
                          fmt::format("{} does not exist", mention.target)});
    }
  }
}

void CheckDecisionNumbers(const std::vector<SourceFile>& files, Findings& findings) {
  std::map<std::string, std::string> by_number;
  for (const SourceFile& file : files) {
    if (FolderOf(file.path) != "docs/adr") continue;
    const std::string number(FileNameOf(file.path).substr(0, 4));
    const auto [other, fresh] = by_number.emplace(number, file.path);
    if (!fresh) {
      findings.push_back({file.path, 0, "decision-number", "the same number as " + other->second});
    }
  }
  size_t expected = 1;
  for (const auto& [number, path] : by_number) {
    if (number != fmt::format("{:04}", expected)) {
      findings.push_back({path, 0, "decision-number", fmt::format("expected {:04}", expected)});
      return;
    }
    ++expected;
  }
}

void CheckLockFile(const SourceFile& file, Findings& findings) {
  if (FileNameOf(file.path) != "package-lock.json") return;
  const size_t at = file.text.find("\"resolved\"");
  if (at == std::string::npos) return;
  findings.push_back({file.path, LineOf(file.text, at), "lock-file",
                      "names a download address: npm install --omit-lockfile-registry-resolved"});
}

}  // namespace ducat::tidy
