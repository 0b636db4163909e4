#include "worker/splice_check.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "json/view.h"
#include "json/writer.h"
#include "support/result_matchers.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using Body = SpliceCheck::Body;

bool Passes(Body body, std::string_view bytes, size_t step) {
  SpliceCheck check(body);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
    if (!check.Feed(bytes.substr(0, step))) return false;
  }
  return check.Finish().has_value();
}

// The verdict must not depend on the place in a block or on how the bytes are cut.
void ExpectVerdict(Body body, const std::string& bytes, bool expected) {
  const std::string filler = body == Body::kRows ? "[1]," : "abcd";
  for (size_t before = 0; before <= 18; ++before) {
    std::string all;
    for (size_t i = 0; i < before; ++i)
      all += filler;
    all += bytes;
    for (const size_t step : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{63}, size_t{64},
                              size_t{65}, size_t{4096}}) {
      ASSERT_EQ(Passes(body, all, step), expected)
          << "after " << 4 * before << " bytes, in steps of " << step << ": " << bytes;
    }
  }
}

TEST(SpliceCheck, RowsThatPass) {
  for (const char* rows :
       {"", "[1,2.5,null,true]", "[1],[2]", R"(["a\"b","c\\","\u00e9"])", R"({"a":[{"b":"]"}]})",
        R"(["[[["],["{"])", "[\"\xC3\xA4\",\"\xE2\x82\xAC\",\"\xF0\x9F\x98\x80\"]", R"(["\\\\\""])",
        "[\"\x7F\"]"}) {
    ExpectVerdict(Body::kRows, rows, true);
  }
}

TEST(SpliceCheck, RowsThatDoNot) {
  for (const char* rows : {"[1]\n",      "[\"\t\"]",       "[1",
                           "1]",         "[1]]",           "[1}",
                           "{]",         "[\"a]",          "[\"a\\\"]",
                           "[\"\\q\"]",  "[\"\\u12g4\"]",  "[\"\\u123\"]",
                           "[\\\"a]",    "[\"\xC3\"]",     "[\"\xED\xA0\x80\"]",
                           "[\"\xFF\"]", "[\"\xC0\x80\"]", "[\"\xF4\x90\x80\x80\"]",
                           "[\"",        "[\"\\",          "[\"\\u"}) {
    ExpectVerdict(Body::kRows, rows, false);
  }
}

TEST(SpliceCheck, TextThatPasses) {
  for (const char* text : {"", "| a | b |\\n", R"(\"quoted\" \\ \/ \b\f\n\r\t \u0000)", "]]}}[",
                           "\xE6\x97\xA5\xE6\x9C\xAC", "\\\\\\\\"}) {
    ExpectVerdict(Body::kText, text, true);
  }
}

TEST(SpliceCheck, TextThatDoesNot) {
  for (const char* text : {"\"", "a\"b", "\\\\\"", "\\", "\\\\\\", "a\nb", "\\x", "\\u", "\\u00zz",
                           "\xE2\x82", "\x80"}) {
    ExpectVerdict(Body::kText, text, false);
  }
}

TEST(SpliceCheck, DepthIsBounded) {
  const std::string open(SpliceCheck::kDepthMax, '['), close(SpliceCheck::kDepthMax, ']');
  EXPECT_TRUE(Passes(Body::kRows, open + close, 4096));
  EXPECT_FALSE(Passes(Body::kRows, "[" + open + close + "]", 4096));
}

TEST(SpliceCheck, TheMessageSaysWhatAndWhere) {
  SpliceCheck check(Body::kRows);
  ASSERT_THAT(check.Feed("[1],"), IsOk());
  const Status status = check.Feed("[2]\n");
  ASSERT_THAT(status, FailsWith("frame_error"));
  EXPECT_EQ(status.error().message, "ROWS holds a byte below 0x20 near byte 4");
}

// What our own writer makes always passes; what passes stays one string in one line.
TEST(SpliceCheck, AgreesWithAFullParserOnMutatedStrings) {
  std::mt19937 random(7);
  int passed = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string raw;
    for (size_t i = 0; i < random() % 90; ++i)
      raw += static_cast<char>("\"\\\n[]{}aü€\x01"[random() % 13]);
    std::string escaped;
    json::AppendEscaped(escaped, raw);
    ASSERT_TRUE(Passes(Body::kText, escaped, 1 + random() % 70)) << escaped;
    if (escaped.empty()) continue;
    escaped[random() % escaped.size()] = static_cast<char>("\"\\u\x1F\x80]"[random() % 6]);
    json::Document document;
    const bool parses = document.Parse("\"" + escaped + "\"").has_value();
    if (!Passes(Body::kText, escaped, 1 + random() % 70)) continue;
    ++passed;
    // Lone surrogates are the one thing that a parser refuses and a splice cannot break.
    if (escaped.find("\\ud") == std::string::npos) {
      EXPECT_TRUE(parses) << escaped;
    }
  }
  EXPECT_GT(passed, 1'000);
}

}  // namespace
}  // namespace ducat::worker
