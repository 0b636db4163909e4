#include "worker/child/ingest/json_rewriter.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::ingest {
namespace {

std::string Rewrite(std::string_view text, const std::set<std::string>& as_text = {}) {
  JsonRewriter rewriter(as_text);
  switch (rewriter.Read(text, /*is_last=*/true)) {
    case JsonRewriter::Outcome::kValue:
      return rewriter.out();
    case JsonRewriter::Outcome::kBad:
      return std::string("bad: ") + rewriter.why();
    case JsonRewriter::Outcome::kMore:
      return "more";
  }
  return "";
}

TEST(JsonRewriterTest, WritesOneLine) {
  EXPECT_EQ(Rewrite("{ \"a\" : [ 1 ,\n 2.50 ] , \"b\":{}, \"c\": \"\\u00e9\\n\" }"),
            "{\"a\":[1,2.50],\"b\":{},\"c\":\"\\u00e9\\n\"}");
  EXPECT_EQ(Rewrite("[true,false,null,NaN,-Infinity,-0.5e+3,]"),
            "[true,false,null,NaN,-Infinity,-0.5e+3]");
  EXPECT_EQ(Rewrite("42"), "42");
  EXPECT_EQ(Rewrite(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
}

TEST(JsonRewriterTest, RefusesWhatIsNoJson) {
  for (const char* text : {"{\"a\":1", "{\"a\" 1}", "{a:1}",       "[1 2]",       "01",
                           "1.",       "-",         "1e",          "+1",          ".5",
                           "\"x",      "\"\\x\"",   "\"\\u12g4\"", "\"\\ud800\"", "\"\\udc00\"",
                           "\"a\nb\"", "\"a\tb\"",  "nulL",        "truee",       "",
                           "{\"a\":}", "[,1]"}) {
    EXPECT_TRUE(Rewrite(text).starts_with("bad: ")) << text << " -> " << Rewrite(text);
  }
  EXPECT_EQ(Rewrite("\"\\ud83d\\ude00\""), "\"\\ud83d\\ude00\"");
}

TEST(JsonRewriterTest, AsksForMoreAtEveryCut) {
  const std::string text = R"({"a":[1,"x\u00e9"],"b":null} )";
  const std::set<std::string> none;
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    JsonRewriter rewriter(none);
    EXPECT_EQ(rewriter.Read(text.substr(0, length), false), JsonRewriter::Outcome::kMore) << length;
  }
  JsonRewriter rewriter(none);
  EXPECT_EQ(rewriter.Read(text, false), JsonRewriter::Outcome::kValue);
}

TEST(JsonRewriterTest, FindsNumbersThatADoubleDoesNotHold) {
  const std::set<std::string> none;
  JsonRewriter rewriter(none);
  ASSERT_EQ(
      rewriter.Read(R"({"a":{"n":18446744073709551616},"l":[0.123456789012345678],"x":1.5})", true),
      JsonRewriter::Outcome::kValue);
  ASSERT_EQ(rewriter.inexact().size(), 2U);
  EXPECT_EQ(rewriter.inexact().at(std::string("a") + kPathStep + "n"), kInteger128);
  EXPECT_EQ(rewriter.inexact().at(std::string("l") + kPathStep + "[]"), kLongNumber);
  EXPECT_EQ(Rewrite(R"({"a":{"n":1},"n":2})", {std::string("a") + kPathStep + "n"}),
            R"({"a":{"n":"1"},"n":2})");
}

}  // namespace
}  // namespace ducat::ingest
