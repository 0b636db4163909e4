// The guard over any bytes: lexer and EXPLAIN prefix keep their invariants, and the whole judgement
// never crashes. What it allows must have the wrapper, lie in the plan's lists, and be allowed
// again as it was shown.

#include "worker/child/guard/guard.h"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "worker/child/engine/connection.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/guard/statement_words.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::guard {
namespace {

constexpr size_t kBytesMax = 4'096;

// One engine for the whole run; the process owns it.
struct Engine {
  std::unique_ptr<engine::Database> database;
  std::unique_ptr<engine::Connection> connection;
  worker::child::MountedCatalog catalog;
  std::string folder;

  Engine() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ducat-fuzz-XXXXXX").string();
    CHECK(mkdtemp(pattern.data()) != nullptr);
    folder = pattern;
    auto opened = engine::Database::Open(
        {.data_dir = folder, .tables_dir = folder, .private_dir = folder, .threads = 1});
    CHECK(opened.has_value());
    database = std::make_unique<engine::Database>(*std::move(opened));
    connection = std::make_unique<engine::Connection>(*database->Connect());
    const worker::CatalogDelta delta{.version = 1,
                                     .tables = {{.name = "orders", .source = "orders.csv"}},
                                     .files = {"orders.csv", "sub/a.json"},
                                     .outside_files = {"link.csv"}};
    CHECK(catalog.Apply(delta, *connection).has_value());
  }
};

void CheckTokens(std::string_view text) {
  const TokenList tokens = Tokenize(text);
  uint64_t end = 0;
  for (const Token& token : tokens.tokens) {
    CHECK(token.offset >= end && token.length > 0);
    end = token.end();
    CHECK(end <= text.size());
    static_cast<void>(DecodeToken(text.substr(token.offset, token.length)));
  }
  const StatementTokens statement = FirstStatement(tokens);
  CHECK(statement.first <= statement.last && statement.last <= tokens.tokens.size());
  if (DeepestBracket(tokens).depth > 200) return;
  const ExplainPrefix explain = PeelExplain(tokens, statement);
  CHECK(explain.statement <= tokens.tokens.size());
  static_cast<void>(DeniedWord(tokens, explain.statement));
}

void CheckVerdict(Engine& engine, Guard& guard, std::string_view text) {
  const Verdict verdict =
      guard.Judge({.sql = text, .check_plan = false}, engine.catalog, *engine.connection);
  if (!verdict.allowed) {
    CHECK(!verdict.code.empty() && verdict.code != "ok" && !verdict.message.empty());
    CHECK(verdict.message.find(engine.folder) == std::string::npos);
    if (verdict.position.has_value()) {
      CHECK(verdict.position->offset + verdict.position->length <= text.size());
    }
    return;
  }
  const bool explain =
      verdict.kind == StatementKind::kExplain || verdict.kind == StatementKind::kExplainAnalyze;
  CHECK(verdict.final_sql.starts_with(explain ? "EXPLAIN " : "SELECT * FROM (\n"));
  const Verdict again =
      guard.Judge({.sql = verdict.sql, .check_plan = false}, engine.catalog, *engine.connection);
  CHECK(again.allowed);
}

}  // namespace
}  // namespace ducat::guard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static ducat::guard::Engine engine;
  static ducat::guard::Guard analyst(ducat::worker::Profile::kAnalyst, engine.folder);
  static ducat::guard::Guard canvas(ducat::worker::Profile::kCanvas, "");
  if (size > ducat::guard::kBytesMax) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ducat::guard::CheckTokens(text);
  ducat::guard::CheckVerdict(engine, analyst, text);
  ducat::guard::CheckVerdict(engine, canvas, text);
  return 0;
}
