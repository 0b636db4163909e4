#pragma once
// One file of the SQL corpus, read into cases. The format is in README.md. Values for tests; a line
// that cannot be read becomes a case that cannot pass.

#include <optional>
#include <string>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/hello.h"

namespace ducat::corpus {

enum class Expect : uint8_t { kAllow, kDeny, kQuery };

struct Case {
  std::string file;
  int line = 0;  // of its first line
  worker::Profile profile = worker::Profile::kAnalyst;
  Expect expect = Expect::kAllow;
  std::string code;  // kDeny
  std::string sql;
  engine::NamedParameters parameters;
  std::vector<std::string> rows;  // kQuery: columns joined by tabs
  std::optional<std::string> at;  // kDeny: "line:column"
  std::optional<std::string> suggestion;
  std::vector<std::string> hints;  // texts that the hint must contain
  std::vector<std::string> messages;
};

// Every *.test file of the folder, in name order. A malformed line is a case that cannot pass.
[[nodiscard]] std::vector<std::string> CorpusFiles();
[[nodiscard]] std::vector<Case> ReadCorpusFile(const std::string& path);

}  // namespace ducat::corpus
