#include "json/fault.h"

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

TEST(JudgeNumber, FollowsTheGrammarAndTheRanges) {
  for (const std::string_view token :
       {"0", "-0", "7", "-7", "1.5", "-0.0", "1e3", "1E+3", "1.25e-3", "9223372036854775807",
        "-9223372036854775808", "18446744073709551615", "1e308", "1e-400", "-1e-999", "0e999",
        "18446744073709551616.0"}) {
    EXPECT_EQ(JudgeNumber(token), NumberForm::kFits) << token;
  }
  for (const std::string_view token : {"18446744073709551616", "-9223372036854775809", "1e309",
                                       "-1e400", "123456789012345678901234567890"}) {
    EXPECT_EQ(JudgeNumber(token), NumberForm::kTooLarge) << token;
  }
  for (const std::string_view token :
       {"", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1e1.5", "0x1", "1a", "1 ", " 1",
        "--1", "NaN", "Infinity", "1.5.5", "1_0"}) {
    EXPECT_EQ(JudgeNumber(token), NumberForm::kMalformed) << token;
  }
}

TEST(ScanString, GivesTheLengthOfTheTokenOrThePlaceOfTheFault) {
  EXPECT_EQ(ScanString(R"("abc" tail)").length, 5U);
  EXPECT_EQ(ScanString(R"("a\"\\\u00e9")").length, 13U);
  EXPECT_EQ(ScanString("\"\xC3\xA9\"").length, 4U);
  struct Case {
    std::string_view text;
    size_t offset;
  };
  for (const Case& one : {Case{"\"abc", 4}, Case{"\"a\nb\"", 2}, Case{"\"a\\x\"", 2},
                          Case{"\"\\ud800\"", 1}, Case{"\"ab\xFF\"", 3}, Case{"\"\\", 1}}) {
    const StringScan scan = ScanString(one.text);
    EXPECT_EQ(scan.length, 0U) << one.text;
    EXPECT_NE(scan.fault, nullptr) << one.text;
    EXPECT_EQ(scan.offset, one.offset) << one.text;
  }
}

TEST(FindFault, TellsSyntaxFromNumbersAndDepth) {
  EXPECT_EQ(FindFault(R"({"a":[1,{"b":null}],"c":"x"})", 3).kind, Fault::Kind::kNone);
  EXPECT_EQ(FindFault(R"({"a":[1,{"b":null}],"c":"x"})", 2).kind, Fault::Kind::kDepth);
  EXPECT_EQ(FindFault("[[]]", 2).kind, Fault::Kind::kNone);
  EXPECT_EQ(FindFault("[[]]", 1).kind, Fault::Kind::kDepth);
  const Fault number = FindFault(R"({"a":[{"b":0},{"b":[1,1e999]}],"c":})", 64);
  EXPECT_EQ(number.kind, Fault::Kind::kNumber);
  EXPECT_EQ(number.text, "a[1].b[1]: 1e999");
  const Fault syntax = FindFault(R"({"a":[1,2,],"b":1e999})", 64);
  EXPECT_EQ(syntax.kind, Fault::Kind::kSyntax);
  EXPECT_EQ(syntax.offset, 10U);
}

TEST(FindFault, UsesNoStackForDepth) {
  const std::string deep(2'000'000, '[');
  EXPECT_EQ(FindFault(deep, 3'000'000).kind, Fault::Kind::kSyntax);
  EXPECT_EQ(FindFault(deep + std::string(deep.size(), ']'), 2'000'000).kind, Fault::Kind::kNone);
}

}  // namespace
}  // namespace ducat::json
