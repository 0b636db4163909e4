// One case for each rule: a text that breaks it, and one next to it that does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tidy/include_rules.h"
#include "tidy/text_rules.h"
#include "tidy/token_rules.h"
#include "tidy/tree_rules.h"

namespace ducat::tidy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "rule:line" of each finding.
std::vector<std::string> Broken(void (*rule)(const SourceFile&, Findings&), std::string path,
                                std::string text) {
  Findings findings;
  rule(MakeSourceFile(std::move(path), std::move(text)), findings);
  std::vector<std::string> broken;
  for (const Finding& finding : findings) {
    broken.push_back(finding.rule + ":" + std::to_string(finding.line));
  }
  return broken;
}

TEST(LayerOf, IsTheFolderThatTheArrowsName) {
  EXPECT_EQ(LayerOf("json/view.h"), "json");
  EXPECT_EQ(LayerOf("worker/pool.h"), "worker");
  EXPECT_EQ(LayerOf("worker/child/engine/connection.h"), "worker/child");
  EXPECT_EQ(LayerOf("packs/analyst/tools/query.cc"), "packs/analyst");
  EXPECT_EQ(LayerOf("packs/analyst/jobs/profile.cc"), "packs/analyst/jobs");
  EXPECT_EQ(LayerOf("packs/analyst/messages/sample.h"), "packs/analyst/messages");
  EXPECT_EQ(LayerOf("elsewhere/x.h"), "");
}

TEST(IncludeRules, ArrowsPointDown) {
  EXPECT_THAT(Broken(CheckIncludes, "src/mcp/a.cc", "#include \"json/view.h\"\n"), IsEmpty());
  EXPECT_THAT(Broken(CheckIncludes, "src/json/a.cc", "\n#include \"mcp/tool.h\"\n"),
              ElementsAre("layer-arrow:2"));
  EXPECT_THAT(Broken(CheckIncludes, "src/worker/a.cc", "#include \"worker/child/job.h\"\n"),
              ElementsAre("layer-arrow:1"));
  EXPECT_THAT(Broken(CheckIncludes, "src/app/a.cc", "#include \"worker/child/job.h\"\n"),
              IsEmpty());
}

TEST(IncludeRules, PacksDoNotKnowEachOther) {
  EXPECT_THAT(Broken(CheckIncludes, "src/packs/fx/a.cc", "#include \"packs/analyst/b.h\"\n"),
              ElementsAre("layer-arrow:1"));
  EXPECT_THAT(Broken(CheckIncludes, "src/packs/fx/a.cc", "#include \"transport/stdio.h\"\n"),
              ElementsAre("layer-arrow:1"));
}

TEST(IncludeRules, JobsKnowTheMessagesButNotTheTools) {
  EXPECT_THAT(Broken(CheckIncludes, "src/packs/a/jobs/x.cc", "#include \"packs/a/messages/m.h\"\n"),
              IsEmpty());
  EXPECT_THAT(Broken(CheckIncludes, "src/packs/a/jobs/x.cc", "#include \"packs/a/catalog.h\"\n"),
              ElementsAre("layer-arrow:1"));
  EXPECT_THAT(Broken(CheckIncludes, "src/packs/a/x.cc", "#include \"packs/a/jobs/j.h\"\n"),
              ElementsAre("layer-arrow:1"));
}

TEST(IncludeRules, PathsAreBelowSrc) {
  EXPECT_THAT(Broken(CheckIncludes, "src/mcp/a.cc", "#include \"tool.h\"\n"),
              ElementsAre("include-path:1"));
  EXPECT_THAT(Broken(CheckIncludes, "src/mcp/a_test.cc", "#include \"support/x.h\"\n"), IsEmpty());
}

TEST(IncludeRules, ThirdPartyHeadersHaveOneHome) {
  EXPECT_THAT(Broken(CheckIncludes, "src/json/document.cc", "#include <simdjson.h>\n"), IsEmpty());
  for (const char* header : {"simdjson.h", "duckdb.h", "boost/beast/http.hpp", "curl/curl.h",
                             "CLI/CLI.hpp", "boost/asio.hpp", "iostream", "regex"}) {
    EXPECT_THAT(Broken(CheckIncludes, "src/mcp/a.cc", std::string("#include <") + header + ">\n"),
                ElementsAre("third-party-header:1"))
        << header;
  }
  EXPECT_THAT(Broken(CheckIncludes, "src/mcp/a.cc", "#include <boost/asio/awaitable.hpp>\n"),
              IsEmpty());
}

TEST(TextRules, LinesHaveLimits) {
  const std::string wide(kLineColumnsMax, 'x');
  EXPECT_THAT(Broken(CheckLines, "a.cc", wide + "\n"), IsEmpty());
  EXPECT_THAT(Broken(CheckLines, "a.cc", wide + "x\n"), ElementsAre("line-length:1"));
  EXPECT_THAT(Broken(CheckLines, "a.cc", "\n\tx\n"), ElementsAre("tab:2"));
  EXPECT_THAT(Broken(CheckLines, "a.cc", "x \n"), ElementsAre("trailing-space:1"));
  EXPECT_THAT(Broken(CheckLines, "a.md", "x \n"), IsEmpty());
}

TEST(TextRules, ColumnsAreCharactersNotBytes) {
  std::string wide;
  for (size_t i = 0; i < kLineColumnsMax; ++i)
    wide += "ä";
  EXPECT_THAT(Broken(CheckLines, "a.cc", wide), IsEmpty());
}

TEST(TextRules, FilesHaveALimit) {
  std::string text;
  for (size_t i = 0; i < kFileLinesMax; ++i)
    text += "x\n";
  EXPECT_THAT(Broken(CheckLines, "a.cc", text), IsEmpty());
  EXPECT_THAT(Broken(CheckLines, "a.cc", text + "x\n"), ElementsAre("file-length:0"));
}

TEST(TextRules, FileNamesSaySomething) {
  EXPECT_THAT(Broken(CheckFileName, "src/base/text.cc", ""), IsEmpty());
  for (const char* name : {"utils.h", "helpers.cc", "common.h", "session_manager.cc", "Text.h"}) {
    EXPECT_THAT(Broken(CheckFileName, std::string("src/base/") + name, ""),
                ElementsAre("file-name:0"))
        << name;
  }
}

TEST(TextRules, HeadersBeginWithWhatTheyAre) {
  EXPECT_THAT(Broken(CheckHeaderComment, "a.h", "#pragma once\n// a\n// b\n\nint x;\n"), IsEmpty());
  EXPECT_THAT(Broken(CheckHeaderComment, "a.h", "// a\n// b\n#pragma once\n"),
              ElementsAre("header-comment:1"));
  EXPECT_THAT(Broken(CheckHeaderComment, "a.h", "#pragma once\n// a\nint x;\n"),
              ElementsAre("header-comment:2"));
  EXPECT_THAT(Broken(CheckHeaderComment, "a.cc", "int x;\n"), IsEmpty());
}

struct TokenCase {
  const char* text;
  const char* rule;
};

TEST(TokenRules, BannedTokensAreFound) {
  for (const TokenCase& bad : {TokenCase{"std::cout << 1;", "stdout:1"},
                               {"printf(\"x\");", "stdout:1"},
                               {"fputs(s, stdout);", "stdout:1"},
                               {"using  namespace std;", "using-namespace:1"},
                               {"std::regex r;", "regex:1"},
                               {"try { } catch (...) { }", "catch-all:1"},
                               {"throw 1;", "throw:1"},
                               {"auto f = [=] {};", "capture:1"},
                               {"system(\"ls\");", "shell:1"},
                               {"popen(c, m);", "shell:1"},
                               {"auto* x = new X;", "ownership:1"},
                               {"delete x;", "ownership:1"},
                               {"std::unique_ptr<X> a; f(new X);", "ownership:1"},
                               {"class JobManager {};", "empty-name:1"}}) {
    EXPECT_THAT(Broken(CheckTokens, "src/mcp/a.cc", bad.text), ElementsAre(bad.rule)) << bad.text;
  }
}

TEST(TokenRules, NeighboursOfBannedTokensAreFine) {
  for (const char* good :
       {"snprintf(b, n, f);", "fprintf(stderr, f);", "// printf, new, throw", "\"printf new\"",
        "X(const X&) = delete;", "void* operator new(size_t);", "catch (const E&) {}",
        "#include <new>", "return std::unique_ptr<X>(new X(a));", "auto f = [&] {};",
        "std::system_error e;", "filesystem(x);", "renew(x); news(y);"}) {
    EXPECT_THAT(Broken(CheckTokens, "src/mcp/a.cc", good), IsEmpty()) << good;
  }
}

TEST(TokenRules, TestsMayPrintButNotThrow) {
  EXPECT_THAT(Broken(CheckTokens, "src/mcp/a_test.cc", "std::cout << 1; throw 1;"),
              ElementsAre("throw:1"));
}

TEST(TokenRules, BarriersAndTheTerminalAreExempt) {
  EXPECT_THAT(Broken(CheckTokens, "src/worker/child/job_loop.cc", "catch (...) {}"), IsEmpty());
  EXPECT_THAT(Broken(CheckTokens, "src/app/terminal.cc", "fputs(s, stdout);"), IsEmpty());
}

TEST(TokenRules, ABlockingTodoIsFoundInComments) {
  const std::string todo = std::string("// TODO(") + "now): x";
  EXPECT_THAT(Broken(CheckTokens, "src/mcp/a.cc", todo), ElementsAre("todo:1"));
  EXPECT_THAT(Broken(CheckTokens, "src/mcp/a.cc", "// TODO(perf): x"), IsEmpty());
}

TEST(TokenRules, AggregatesInsideCoAwaitAreFound) {
  for (const char* bad : {"co_await F({1, 2});", "co_await F(T{.a = 1});",
                          "if (co_await F(T{1}); true) {}", "co_await F([x] { return x; });"}) {
    EXPECT_THAT(Broken(CheckCoroutineTemporaries, "src/mcp/a.cc", bad),
                ElementsAre("co-await-temporary:1"))
        << bad;
  }
  for (const char* good :
       {"co_await F(std::move(t));", "co_await F(CancelToken{});", "if (co_await F(x)) { y({1}); }",
        "for (;;) { co_await F(); } G({1});"}) {
    EXPECT_THAT(Broken(CheckCoroutineTemporaries, "src/mcp/a.cc", good), IsEmpty()) << good;
  }
}

std::vector<std::string> RulesOf(const Findings& findings) {
  std::vector<std::string> rules;
  for (const Finding& finding : findings)
    rules.push_back(finding.path + " " + finding.rule);
  return rules;
}

TEST(TreeRules, SourcesHaveTestsOrAnExcuse) {
  const std::vector<SourceFile> files = {
      MakeSourceFile("src/a/x.cc", ""), MakeSourceFile("src/a/x_test.cc", ""),
      MakeSourceFile("src/a/y.cc", ""), MakeSourceFile("src/a/z.cc", ""),
      MakeSourceFile("src/app/ducat_main.cc", "")};
  Findings findings;
  CheckEverySourceHasATest(files, MakeSourceFile("list", "# why\nsrc/a/y.cc: by x_test.cc\n"),
                           findings);
  EXPECT_THAT(RulesOf(findings), ElementsAre("src/a/z.cc no-test"));
}

TEST(TreeRules, ATestThatIncludesTheHeaderCounts) {
  Findings findings;
  CheckEverySourceHasATest({MakeSourceFile("src/a/x.cc", ""), MakeSourceFile("src/a/y.cc", ""),
                            MakeSourceFile("src/a/all_test.cc", "#include \"a/x.h\"\n"),
                            MakeSourceFile("src/a/y_user.cc", "#include \"a/y.h\"\n")},
                           MakeSourceFile("list", "src/a/y_user.cc: by all_test.cc\n"), findings);
  EXPECT_THAT(RulesOf(findings), ElementsAre("src/a/y.cc no-test"));
}

TEST(TreeRules, TheListOfUntestedFilesOnlyShrinks) {
  const std::vector<SourceFile> files = {MakeSourceFile("src/a/x.cc", ""),
                                         MakeSourceFile("src/a/x_test.cc", "")};
  Findings findings;
  CheckEverySourceHasATest(files, MakeSourceFile("list", "src/a/x.cc: old\nsrc/a/gone.cc: old\n"),
                           findings);
  EXPECT_THAT(RulesOf(findings), ElementsAre("list untested-list", "list untested-list"));
}

TEST(TreeRules, HeadersAreIncludedSomewhere) {
  Findings findings;
  CheckNoDeadHeaders({MakeSourceFile("src/a/x.h", ""), MakeSourceFile("src/a/y.h", ""),
                      MakeSourceFile("src/a/y.cc", "#include \"a/y.h\"\n")},
                     findings);
  EXPECT_THAT(RulesOf(findings), ElementsAre("src/a/x.h dead-header"));
}

TEST(TreeRules, DocumentsPointAtFiles) {
  const auto exists = [](const std::string& path) {
    return path == "docs/a.md" || path == "src/base/";
  };
  Findings findings;
  CheckDocumentLinks({MakeSourceFile("README.md", "[a](docs/a.md#part) `src/base/`, `src/*/x`\n"),
                      MakeSourceFile("docs/b.md", "[a](a.md) [web](https://x.org/y)\n"),
                      MakeSourceFile("docs/c.md", "[gone](gone.md)\n"),
                      MakeSourceFile("docs/d.md", "see `src/gone.h`\n")},
                     exists, findings);
  EXPECT_THAT(RulesOf(findings), ElementsAre("docs/c.md document-link", "docs/d.md document-link"));
}

TEST(TreeRules, DecisionsAreNumberedWithoutGaps) {
  Findings findings;
  CheckDecisionNumbers(
      {MakeSourceFile("docs/adr/0001-a.md", ""), MakeSourceFile("docs/adr/0001-b.md", ""),
       MakeSourceFile("docs/adr/0003-c.md", "")},
      findings);
  EXPECT_THAT(RulesOf(findings), ElementsAre("docs/adr/0001-b.md decision-number",
                                             "docs/adr/0003-c.md decision-number"));
}

TEST(TreeRules, LockFilesNameNoAddress) {
  EXPECT_THAT(Broken(CheckLockFile, "engine/package-lock.json", "{\n\"resolved\": \"x\"}"),
              ElementsAre("lock-file:2"));
  EXPECT_THAT(Broken(CheckLockFile, "engine/package-lock.json", "{\"integrity\": \"x\"}"),
              IsEmpty());
}

}  // namespace
}  // namespace ducat::tidy
