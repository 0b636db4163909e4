#include "corpus_file.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <utility>

namespace ducat::corpus {
namespace {

constexpr std::string_view kRule = "----";

// The rest of a line behind `word` and a space.
std::optional<std::string> After(const std::string& line, std::string_view word) {
  if (line == word) return std::string();
  if (!line.starts_with(std::string(word) + " ")) return std::nullopt;
  return line.substr(word.size() + 1);
}

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(std::filesystem::path(path).filename()) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
      lines_.push_back(line);
  }

  std::vector<Case> Run() {
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_];
      if (line.empty() || line.starts_with('#')) {
        ++at_;
      } else if (const auto profile = After(line, "profile")) {
        profile_ = *profile == "canvas" ? worker::Profile::kCanvas : worker::Profile::kAnalyst;
        ++at_;
      } else {
        ReadCase();
      }
    }
    return std::move(cases_);
  }

 private:
  void ReadCase() {
    Case next{.file = file_, .line = static_cast<int>(at_) + 1, .profile = profile_};
    for (; at_ < lines_.size(); ++at_) {
      const auto parameter = After(lines_[at_], "param");
      if (!parameter.has_value()) break;
      AddParameter(next, *parameter);
    }
    if (at_ == lines_.size()) return;
    const std::string head = lines_[at_++];
    if (head == "allow") {
      next.expect = Expect::kAllow;
    } else if (head == "query") {
      next.expect = Expect::kQuery;
    } else if (const auto code = After(head, "deny")) {
      next.expect = Expect::kDeny;
      next.code = *code;
    } else {
      next.expect = Expect::kDeny;
      next.code = "malformed corpus line: " + head;
    }
    bool first = true;
    for (; at_ < lines_.size() && !lines_[at_].empty() && lines_[at_] != kRule; ++at_) {
      next.sql += (first ? "" : "\n") + lines_[at_];
      first = false;
    }
    if (at_ < lines_.size() && lines_[at_] == kRule) {
      for (++at_; at_ < lines_.size() && !lines_[at_].empty(); ++at_)
        AddExpected(next);
    }
    cases_.push_back(std::move(next));
  }

  void AddExpected(Case& next) {
    const std::string& line = lines_[at_];
    if (next.expect == Expect::kQuery) {
      next.rows.push_back(line);
    } else if (const auto at = After(line, "at")) {
      next.at = *at;
    } else if (const auto text = After(line, "suggest")) {
      next.suggestion = next.suggestion.has_value() ? *next.suggestion + "\n" + *text : *text;
    } else if (const auto hint = After(line, "hint")) {
      next.hints.push_back(*hint);
    } else if (const auto message = After(line, "message")) {
      next.messages.push_back(*message);
    } else {
      next.code = "malformed expectation: " + line;
    }
  }

  // "name kind value"
  static void AddParameter(Case& next, const std::string& text) {
    const size_t first = text.find(' ');
    const size_t second = text.find(' ', first + 1);
    const std::string kind = text.substr(first + 1, second - first - 1);
    const std::string value = second == std::string::npos ? "" : text.substr(second + 1);
    engine::Parameter parameter;
    using Kind = engine::Parameter::Kind;
    if (kind == "text") {
      parameter = {.kind = Kind::kText, .text = value};
    } else if (kind == "integer") {
      parameter.kind = Kind::kInteger;
      std::from_chars(value.data(), value.data() + value.size(), parameter.integer);
    }
    next.parameters.emplace_back(text.substr(0, first), parameter);
  }

  std::string file_;
  std::vector<std::string> lines_;
  size_t at_ = 0;
  worker::Profile profile_ = worker::Profile::kAnalyst;
  std::vector<Case> cases_;
};

}  // namespace

std::vector<std::string> CorpusFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(DUCAT_CORPUS_DIR)) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<Case> ReadCorpusFile(const std::string& path) {
  return Reader(path).Run();
}

}  // namespace ducat::corpus
