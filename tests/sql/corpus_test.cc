// Runs every *.test file of this folder against the real engine: verdicts, positions, suggestions
// and rows; each allowed statement also runs, inside EXPLAIN, as a subquery, and with comments at
// every place.

#include <filesystem>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "corpus_file.h"
#include "corpus_fixture.h"
#include "support/result_matchers.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/state_watch.h"

namespace ducat::corpus {
namespace {

using guard::Statement;
using guard::Verdict;

constexpr uint64_t kRowLimit = 500;

std::string Place(const Case& entry) {
  return entry.file + ":" + std::to_string(entry.line) + ": " + entry.sql;
}

class CorpusRun {
 public:
  CorpusRun(Fixture& fixture, const Case& entry, bool variants)
      : fixture_(fixture), case_(entry), variants_(variants) {}

  void Run() {
    const Verdict verdict = Judge(case_.sql);
    if (case_.expect == Expect::kDeny) return CheckDenied(verdict);
    if (!Allowed(case_.sql, verdict)) return;
    Execute(verdict);
    if (case_.expect == Expect::kQuery) {
      EXPECT_EQ(RowsOf(verdict), case_.rows) << Place(case_);
    }
    if (!variants_) return;
    for (const std::string& variant : Variants()) {
      const Verdict other = Judge(variant);
      // Large files only judge their variants, which keeps the whole run short.
      if (Allowed(variant, other) && case_.file == "must_allow.test") Execute(other);
    }
  }

 private:
  Verdict Judge(std::string_view sql) {
    return fixture_.guard(case_.profile)
        .Judge({.sql = sql,
                .parameters = case_.parameters.empty() ? nullptr : &case_.parameters,
                .row_limit = kRowLimit},
               fixture_.catalog(), fixture_.connection());
  }

  bool Allowed(std::string_view sql, const Verdict& verdict) {
    EXPECT_TRUE(verdict.allowed) << Place(case_) << "\n  as: " << sql << "\n  [" << verdict.code
                                 << "] " << verdict.message << "\n  " << verdict.hint;
    return verdict.allowed;
  }

  void CheckDenied(const Verdict& verdict) {
    EXPECT_EQ(verdict.code, case_.code) << Place(case_) << "\n  " << verdict.message;
    EXPECT_FALSE(verdict.allowed) << Place(case_);
    EXPECT_FALSE(verdict.message.empty() || verdict.hint.empty()) << Place(case_);
    EXPECT_EQ(verdict.message.find(fixture_.root().string()), std::string::npos) << Place(case_);
    EXPECT_EQ(verdict.hint.find(fixture_.root().string()), std::string::npos) << Place(case_);
    if (case_.at.has_value()) {
      const std::string at = verdict.position.has_value()
                                 ? std::to_string(verdict.position->line) + ":" +
                                       std::to_string(verdict.position->column)
                                 : "none";
      EXPECT_EQ(at, *case_.at) << Place(case_);
    }
    if (case_.suggestion.has_value()) {
      EXPECT_EQ(verdict.suggestion, *case_.suggestion) << Place(case_);
    }
    if (!verdict.suggestion.empty()) {
      static_cast<void>(Allowed(verdict.suggestion, Judge(verdict.suggestion)));
      EXPECT_NE(verdict.hint.find(" Try: " + verdict.suggestion), std::string::npos)
          << Place(case_) << "\n"
          << verdict.hint;
    }
    for (const std::string& hint : case_.hints) {
      EXPECT_NE(verdict.hint.find(hint), std::string::npos) << Place(case_) << "\n" << verdict.hint;
    }
    for (const std::string& message : case_.messages) {
      EXPECT_NE(verdict.message.find(message), std::string::npos) << Place(case_) << "\n"
                                                                  << verdict.message;
    }
  }

  // To the last row.
  void Execute(const Verdict& verdict) {
    // The plan check lets only operators through that read; this says the same from another side.
    const auto prepared = fixture_.connection().Prepare(verdict.final_sql);
    ASSERT_TRUE(prepared.has_value()) << Place(case_);
    EXPECT_TRUE(prepared->kind == "SELECT" || prepared->kind == "EXPLAIN") << Place(case_);
    auto rows = fixture_.connection().Run(verdict.final_sql, case_.parameters);
    if (!rows.has_value()) {
      ADD_FAILURE() << Place(case_) << "\n  does not run: " << rows.error().message << "\n"
                    << verdict.final_sql;
      return;
    }
    for (;;) {
      const auto chunk = rows->Next();
      if (!chunk.has_value()) {
        ADD_FAILURE() << Place(case_) << "\n  fails: " << chunk.error().message;
        return;
      }
      if (*chunk == nullptr) return;
    }
  }

  // The rows as the engine prints their values.
  std::vector<std::string> RowsOf(const Verdict& verdict) {
    std::vector<std::string> lines;
    auto rows = fixture_.connection().Run(
        "SELECT CAST(COLUMNS(*) AS VARCHAR) FROM (" + verdict.final_sql + ")", case_.parameters);
    const auto table = rows.has_value() ? rows->AllText() : tl::unexpected(rows.error());
    if (!table.has_value()) {
      ADD_FAILURE() << Place(case_) << "\n  fails: " << table.error().message;
      return lines;
    }
    for (const auto& row : *table) {
      std::string line;
      for (size_t i = 0; i < row.size(); ++i) {
        line += (i == 0 ? "" : "\t") + row[i].value_or("NULL");
      }
      EXPECT_EQ(line.find(fixture_.root().string()), std::string::npos) << Place(case_);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  // The statement at other places and with comments between all its tokens.
  [[nodiscard]] std::vector<std::string> Variants() const {
    const guard::TokenList tokens = guard::Tokenize(case_.sql);
    std::string inside, bare;
    size_t last = tokens.tokens.size();
    while (last > 0 && tokens.Is(last - 1, guard::TokenKind::kSemicolon))
      --last;
    size_t first = 0;
    while (tokens.Is(first, guard::TokenKind::kSemicolon))
      ++first;
    for (size_t i = first; i < last; ++i) {
      const uint64_t end = tokens.tokens[i].end();
      const uint64_t next = i + 1 < last ? tokens.tokens[i + 1].offset : end;
      inside += tokens.Text(i);
      if (next > end) inside += " /* ; DROP */ -- x'\n";
    }
    if (last > first) {
      const uint64_t start = tokens.tokens[first].offset;
      bare = case_.sql.substr(start, tokens.tokens[last - 1].end() - start);
    }
    std::vector<std::string> variants{"-- before\n" + case_.sql,
                                      "/* \"' */" + case_.sql + " -- after", inside};
    if (tokens.IsWord(0, "explain")) return variants;
    variants.push_back("EXPLAIN " + bare);
    variants.push_back("EXPLAIN (ANALYZE, FORMAT json) " + bare);
    variants.push_back("SELECT * FROM (" + bare + ") AS corpus_q");
    const bool described = tokens.IsWord(0, "describe") || tokens.IsWord(0, "show") ||
                           tokens.IsWord(0, "summarize") || tokens.IsWord(0, "desc");
    if (!described) {
      variants.push_back("WITH corpus_c AS (" + bare + ") SELECT * FROM corpus_c");
    }
    return variants;
  }

  Fixture& fixture_;
  const Case& case_;
  bool variants_;
};

struct Configuration {
  std::string name;
  FixtureSettings settings;
};

const std::vector<Configuration>& Configurations() {
  static const std::vector<Configuration> kAll{
      {"Default", {}},
      {"OneThread128MB", {.threads = 1, .memory_limit_bytes = uint64_t{128} << 20}}};
  return kAll;
}

class Corpus : public ::testing::TestWithParam<std::tuple<size_t, std::string>> {};

TEST_P(Corpus, File) {
  const auto& [configuration, path] = GetParam();
  const std::vector<Case> cases = ReadCorpusFile(path);
  ASSERT_FALSE(cases.empty());
  FixtureSettings settings = Configurations()[configuration].settings;
  settings.canvas_profile = cases[0].profile == worker::Profile::kCanvas;
  auto fixture = Fixture::Build(settings);
  ASSERT_THAT(fixture, testing::IsOk());
  const bool variants = configuration == 0;
  engine::Connection& connection = (*fixture)->connection();
  worker::child::StateWatch watch(connection, (*fixture)->catalog());
  for (const Case& entry : cases) {
    CorpusRun(**fixture, entry, variants).Run();
    EXPECT_EQ(watch.FindChange(), "") << Place(entry);
  }
  EXPECT_THAT((*fixture)->database().CheckLockdown(), ::testing::IsEmpty());
}

std::string NameOf(const ::testing::TestParamInfo<std::tuple<size_t, std::string>>& info) {
  return Configurations()[std::get<0>(info.param)].name + "_" +
         std::filesystem::path(std::get<1>(info.param)).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Sql, Corpus,
                         ::testing::Combine(::testing::Values(0, 1),
                                            ::testing::ValuesIn(CorpusFiles())),
                         NameOf);

}  // namespace
}  // namespace ducat::corpus
