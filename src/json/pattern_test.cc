#include "json/pattern.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

bool Matches(std::string_view pattern, std::string_view text) {
  const auto compiled = Pattern::Compile(pattern);
  EXPECT_TRUE(compiled.has_value()) << pattern;
  return compiled && compiled->Matches(text);
}

constexpr std::string_view kFxDate =
    R"(^(?:\d{4}-\d{2}-\d{2}|latest|today|yesterday|-\d{1,4}[dwmy]|\d{4}-\d{2}|\d{4}-[qQ][1-4])$)";

TEST(Pattern, JudgesThePatternsOfOurTools) {
  for (const std::string_view text :
       {"2024-02-29", "latest", "-30d", "-1234y", "2024-05", "2024-q4", "2024-Q1"}) {
    EXPECT_TRUE(Matches(kFxDate, text)) << text;
  }
  for (const std::string_view text :
       {"", "2024-2-29", "latest ", "xlatest", "-d", "-12345d", "2024-Q5", "2024-02-29x"}) {
    EXPECT_FALSE(Matches(kFxDate, text)) << text;
  }
  EXPECT_TRUE(Matches("^[A-Za-z0-9_-]{10}$", "aZ09_-aaaa"));
  EXPECT_FALSE(Matches("^[A-Za-z0-9_-]{10}$", "aZ09_-aaaaa"));
  EXPECT_FALSE(Matches("^[A-Za-z0-9_-]{10}$", "aZ09_-aaa\n"));
  EXPECT_TRUE(Matches("^[a-z][a-z0-9_]{0,62}$", "a" + std::string(62, '_')));
  EXPECT_FALSE(Matches("^[a-z][a-z0-9_]{0,62}$", "a" + std::string(63, '_')));
}

TEST(Pattern, SupportsItsSyntax) {
  struct Case {
    std::string_view pattern, text;
    bool matches;
  };
  const Case cases[] = {{"", "", true},
                        {"", "x", true},
                        {"b", "abc", true},
                        {"^b", "abc", false},
                        {"c$", "abc", true},
                        {"b$", "abc", false},
                        {"a.c", "a\nc", false},
                        {"^a.c$",
                         "a\xC3\xA9"
                         "c",
                         true},
                        {"^[\xC3\xA9]$", "\xC3\xA9", true},
                        {"^[^a]$", "\xE2\x82\xAC", true},
                        {"^a*$", "", true},
                        {"^a+$", "", false},
                        {"^a?b$", "b", true},
                        {"^a?b$", "aab", false},
                        {"^a{2}$", "aa", true},
                        {"^a{2}$", "aaa", false},
                        {"^a{2,}$", "aaaaa", true},
                        {"^a{2,}$", "a", false},
                        {"^a{0}$", "", true},
                        {"^a{0,2}$", "aaa", false},
                        {"^(ab|c)+$", "abcab", true},
                        {"^(ab|c)+$", "aba", false},
                        {"^(|a)b$", "b", true},
                        {"^(a|b(c|d))$", "bd", true},
                        {R"(^\.\$\\$)", ".$\\", true},
                        {R"(^[\]\-x]+$)", "]-x", true},
                        {R"(^[\d-]+$)", "1-2", true},
                        {R"(^\w+\s\w+$)", "ab cd", true},
                        {R"(^[^\d]+$)", "a1", false},
                        {"^(a*)*$", "aaaa", true},
                        {"^(a|a)*b$", "aaaa", false},
                        {"(^a|b$)", "xb", true}};
  for (const Case& one : cases) {
    EXPECT_EQ(Matches(one.pattern, one.text), one.matches) << one.pattern << " on " << one.text;
  }
}

TEST(Pattern, RefusesWhatItDoesNotSupport) {
  for (const std::string_view pattern :
       {"(",   ")",     "a)",    "(a",     "[a",      "[b-a]",          "*a",
        "a**", "a{",    "a{x}",  "a{3,2}", "a{1001}", "(?=a)",          "(?!a)",
        "a+?", R"(\b)", R"(\1)", "\\",     "a|*",     "(a{1000}){1000}"}) {
    EXPECT_FALSE(Pattern::Compile(pattern).has_value()) << pattern;
  }
  EXPECT_FALSE(Pattern::Compile(std::string(500, '(') + std::string(500, ')')).has_value());
}

// Backtracking would need 2^40 steps here.
TEST(Pattern, IsLinearForPatternsThatDefeatBacktracking) {
  EXPECT_FALSE(Matches("^(a|a|aa)+$", std::string(100'000, 'a') + "b"));
  EXPECT_FALSE(Matches("^(a?){40}a{40}$", std::string(39, 'a')));
}

}  // namespace
}  // namespace ducat::json
