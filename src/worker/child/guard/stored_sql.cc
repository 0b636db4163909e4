#include "worker/child/guard/stored_sql.h"

#include "worker/child/guard/judge.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/guard/parsed_sql.h"
#include "worker/child/guard/statement_words.h"
#include "worker/child/guard/walk.h"

namespace ducat::guard {
namespace {

StoredVerdict Refused(std::string why) {
  return {.refusal = std::move(why), .tables = {}};
}

StoredVerdict JudgeSelect(engine::Connection& connection, std::string_view select,
                          const std::set<std::string, std::less<>>& neighbours) {
  const SizeLimits limits;
  const TokenList tokens = Tokenize(select);
  if (select.size() > kSqlBytesMax || DeepestBracket(tokens).depth > limits.bracket_depth_max) {
    return Refused("Its SQL is too large to be judged.");
  }
  const ParsedSql parsed = ParseSql(connection, select);
  if (parsed.outcome != ParseOutcome::kTree) {
    return Refused("Its SQL cannot be read back: " + parsed.error.message);
  }
  const worker::child::MountedCatalog no_tables;
  WalkResult walked = WalkTree(parsed.statement, {.tokens = tokens,
                                                  .catalog = no_tables,
                                                  .profile = worker::Profile::kAnalyst,
                                                  .data_dir = {},
                                                  .limits = limits,
                                                  .neighbours = &neighbours});
  if (!walked.findings.empty()) return Refused(walked.findings.first().message);
  if (!walked.parameters.empty()) return Refused("Its SQL has parameters.");
  return {.refusal = {}, .tables = std::move(walked.tables)};
}

}  // namespace

StoredVerdict JudgeStoredView(engine::Connection& connection, std::string_view create,
                              const std::set<std::string, std::less<>>& neighbours) {
  const TokenList tokens = Tokenize(create);
  // AS is reserved: before the SELECT it can only stand in a quoted name.
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (!tokens.IsWord(i, "as")) continue;
    return JudgeSelect(connection, create.substr(tokens.tokens[i].end()), neighbours);
  }
  return Refused("Its SQL cannot be read back.");
}

StoredVerdict JudgeGeneratedColumns(engine::Connection& connection, std::string_view create) {
  const TokenList tokens = Tokenize(create);
  for (size_t i = 0; i + 3 < tokens.tokens.size(); ++i) {
    const bool generated = tokens.IsWord(i, "generated") && tokens.IsWord(i + 1, "always") &&
                           tokens.IsWord(i + 2, "as") && tokens.IsSymbol(i + 3, '(');
    if (!generated) continue;
    const size_t close = tokens.Closing(i + 3);
    if (close >= tokens.tokens.size()) return Refused("Its SQL cannot be read back.");
    const size_t start = tokens.tokens[i + 3].offset;
    const std::string select =
        "SELECT " + std::string(create.substr(start, tokens.tokens[close].end() - start));
    StoredVerdict verdict = JudgeSelect(connection, select, {});
    if (!verdict.refusal.empty()) return verdict;
    if (!verdict.tables.empty()) return Refused("A generated column reads a table.");
    i = close;
  }
  return {};
}

}  // namespace ducat::guard
