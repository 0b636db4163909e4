#include "app/command_line.h"

#include <gmock/gmock.h>

#include "app/commands.h"
#include "support/result_matchers.h"

namespace ducat::app {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

Result<CommandLine> Parse(std::vector<const char*> words) {
  words.insert(words.begin(), "ducat");
  return ParseCommandLine(static_cast<int>(words.size()), words.data());
}

TEST(CommandLine, ShowsShortHelpAndVersion) {
  EXPECT_THAT(Parse({})->text, HasSubstr("ducat analyst --data DIR"));
  EXPECT_THAT(Parse({"--version"})->text, HasSubstr("DuckDB 1.5.6"));
  EXPECT_THAT(Parse({"analyst", "--help"})->text, HasSubstr("--max-rows"));
  EXPECT_THAT(Parse({"query", "-h"})->text, HasSubstr("--csv"));
  EXPECT_THAT(Parse({"analyst", "--max-rows", "5", "--help"})->text,
              AllOf(HasSubstr("--timeout-s"), HasSubstr("Limits:"),
                    HasSubstr("--limit-calls-per-principal")));
}

TEST(CommandLine, TakesFlagsAsText) {
  const auto line = Parse({"analyst", "--data", "d", "--max-rows=7", "--allow-saved-queries",
                           "--include", "a", "--include", "b", "--check"});
  ASSERT_THAT(line, IsOk());
  EXPECT_EQ(line->command, Command::kAnalyst);
  EXPECT_TRUE(line->check);
  EXPECT_THAT(line->flags.at("data"), ElementsAre("d"));
  EXPECT_THAT(line->flags.at("max-rows"), ElementsAre("7"));
  EXPECT_THAT(line->flags.at("allow-saved-queries"), ElementsAre("true"));
  EXPECT_THAT(line->flags.at("include"), ElementsAre("a", "b"));
}

TEST(CommandLine, TakesTheWordsOfEachCommand) {
  // The word after a flag's value is no further value of it, whatever follows.
  const auto query = Parse({"query", "--data", "d", "SELECT 1", "--json"});
  ASSERT_THAT(query, IsOk());
  EXPECT_THAT(query->words, ElementsAre("SELECT 1"));
  EXPECT_THAT(query->flags.at("data"), ElementsAre("d"));
  const auto call = Parse({"call", "describe_table", "--name", "orders", "--data", "d"});
  ASSERT_THAT(call, IsOk());
  EXPECT_THAT(call->words, ElementsAre("describe_table", "--name", "orders"));
  EXPECT_THAT(call->flags.at("data"), ElementsAre("d"));
  EXPECT_THAT(Parse({"call", "query", R"({"sql":"SELECT -1"})"})->words,
              ElementsAre("query", R"({"sql":"SELECT -1"})"));
  EXPECT_THAT(Parse({"install", "cursor", "--print"})->words, ElementsAre("cursor"));
}

TEST(CommandLine, ShowsItsVersionAfterACommandToo) {
  const std::string version = Parse({"--version"})->text;
  EXPECT_THAT(version, HasSubstr("ducat"));
  EXPECT_EQ(Parse({"analyst", "--version"})->text, version);
  EXPECT_THAT(Parse({"call", "t", "--version"})->words, ElementsAre("t", "--version"));
}

TEST(CommandLine, HelpShowsWhatTheCommandTakes) {
  const std::string analyst = Parse({"analyst", "--help"})->text;
  EXPECT_THAT(analyst, AllOf(HasSubstr("--http "), HasSubstr("--host "), HasSubstr("--port "),
                             HasSubstr("--limit-stdio-line"), HasSubstr("--max-body")));
  const std::string serve = Parse({"serve", "--help"})->text;
  EXPECT_THAT(serve, AllOf(HasSubstr("--max-body"), HasSubstr("--limit-batch"),
                           Not(HasSubstr("--limit-stdio"))));
  for (const char* command : {"query", "call"}) {
    EXPECT_THAT(Parse({command, "--help"})->text,
                AllOf(HasSubstr("--max-rows"), HasSubstr("--limit-files"),
                      Not(HasSubstr("--transport")), Not(HasSubstr("--limit-stdio")),
                      Not(HasSubstr("--limit-batch")), Not(HasSubstr("--http"))));
  }
  EXPECT_THAT(Parse({"install", "--help"})->text,
              AllOf(HasSubstr("--limit-batch"), Not(HasSubstr("--transport"))));
  EXPECT_THAT(Parse({"tools", "--help"})->text,
              AllOf(HasSubstr("--allow-saved-queries"), Not(HasSubstr("--max-rows"))));
  EXPECT_THAT(Parse({"token", "--help"})->text, Not(HasSubstr("--max-rows")));
}

TEST(CommandLine, HelpOfAQueryShowsItsOwnLimits) {
  EXPECT_THAT(Parse({"analyst", "--help"})->text, HasSubstr("most rows of one result; 500"));
  const std::string query = Parse({"query", "--help"})->text;
  EXPECT_THAT(query,
              HasSubstr("most rows of one result; " + std::to_string(QueryLimits().max_rows)));
  EXPECT_THAT(query, HasSubstr("; " + std::to_string(QueryLimits().max_bytes)));
  EXPECT_THAT(query, HasSubstr("characters shown of one cell; no limit"));
  EXPECT_THAT(query, Not(HasSubstr("with progress")));
  EXPECT_THAT(Parse({"serve", "--help"})->text, HasSubstr("of serve: http"));
}

struct Misspelt {
  std::vector<const char*> words;
  const char* message;
  const char* hint;
};

TEST(CommandLine, NamesTheFlagThatIsNoneAndThoseLikeIt) {
  const std::vector<Misspelt> cases{
      {{"query", "--data", "d", "--max-row", "5", "SELECT 1"},
       "There is no flag --max-row of ducat query.",
       "Did you mean --max-rows"},
      {{"query", "SELECT 1", "--cvs"}, "There is no flag --cvs of", "Did you mean --csv?"},
      {{"analyst", "--dat=d"}, "There is no flag --dat of ducat analyst.", "Did you mean --data?"},
      {{"serve", "--max-bodi", "5"}, "There is no flag --max-bodi", "Did you mean --max-body?"},
      {{"query", "SELECT 1", "--transport", "stdio"},
       "no flag --transport of ducat query",
       "--help"},
      {{"token", "new", "--tennant", "t"}, "no flag --tennant", "Did you mean --tenant?"},
      {{"install", "cursor", "--prnt"}, "no flag --prnt", "Did you mean --print?"},
      {{"query", "--data", "d", "SELECT", "1"},
       "came as 2 words, beginning \"SELECT\", \"1\"",
       "Put it in quotes"}};
  for (const Misspelt& one : cases) {
    const auto line = Parse(one.words);
    ASSERT_THAT(line, FailsWith("invalid_usage")) << one.message;
    EXPECT_THAT(line.error().message, HasSubstr(one.message));
    EXPECT_THAT(line.error().hint, HasSubstr(one.hint));
  }
}

TEST(CommandLine, SaysWhatIsWrong) {
  const auto unknown = Parse({"analysed"});
  ASSERT_THAT(unknown, FailsWith("invalid_usage"));
  EXPECT_THAT(unknown.error().message, HasSubstr("analysed"));
  EXPECT_THAT(Parse({"analyst", "--nope"}), FailsWith("invalid_usage"));
  EXPECT_THAT(Parse({"analyst", "--data"}), FailsWith("invalid_usage"));
  EXPECT_THAT(Parse({"analyst", "--data", "a", "--data", "b"}), FailsWith("invalid_usage"));
  EXPECT_THAT(Parse({"query", "--data", "d"}), FailsWith("invalid_usage"));
  EXPECT_THAT(Parse({"query", "SELECT 1", "--json", "--csv"}), FailsWith("invalid_usage"));
  EXPECT_THAT(Parse({"install"}), FailsWith("invalid_usage"));
}

}  // namespace
}  // namespace ducat::app
