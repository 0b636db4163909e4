#pragma once
// The SQL guard (guard.md 6): decides from the engine's own syntax tree, against closed lists,
// whether a statement may run, and gives the text that runs. Same input, same verdict. Job thread
// only.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/mounted_catalog.h"
#include "worker/hello.h"

namespace ducat::guard {

// In bytes of the caller's text; line and column are 1-based, the column in code points.
struct Position {
  uint64_t offset = 0, length = 0, line = 1, column = 1;
};

enum class StatementKind : uint8_t {
  kSelect,
  kDescribe,
  kShow,
  kSummarize,
  kExplain,
  kExplainAnalyze
};

struct Verdict {
  bool allowed = false;
  std::string code = "ok";  // guard.md 7
  std::string message, hint, token, rule;
  std::optional<Position> position;
  std::string suggestion;  // a complete statement already judged as allowed; empty: none
  StatementKind kind = StatementKind::kSelect;
  std::string sql;        // final text without wrapper: what the caller sees
  std::string final_sql;  // what runs: wrapped with LIMIT `row_limit` + 1, paths made explicit
  std::vector<std::string> tables, functions, files;  // files relative to the data directory
  std::vector<std::string> notes;  // for the answer: files left out, files with a table
  bool cached = false;
  int64_t micros = 0;
  // Maps an offset in final_sql back to the caller's text; nothing when it lies in the wrapper.
  struct Edit {
    uint64_t final_offset, final_length, source_offset, source_length;
  };
  std::vector<Edit> edits;
};

struct Statement {
  std::string_view sql;
  const engine::NamedParameters* parameters = nullptr;  // null: none given
  uint64_t row_limit = 500;
  bool check_plan = true;  // stage 8
};

class Guard {
 public:
  Guard(worker::Profile profile, std::string data_dir);
  ~Guard();
  [[nodiscard]] Verdict Judge(const Statement& statement,
                              const worker::child::MountedCatalog& catalog,
                              engine::Connection& connection);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A refused verdict as the error of a tool: reason, message, hint, data (position, token, rule,
// suggestion).
[[nodiscard]] Error ToError(const Verdict& verdict);
// An engine error while binding or running final_sql, in the words and positions of the caller's
// text (unknown_column, ambiguous_column, type_mismatch, sql_execution_error, memory_limit,
// query_timeout, ...).
[[nodiscard]] Error ToError(const engine::EngineError& error, const Verdict& verdict,
                            std::string_view source);

}  // namespace ducat::guard
