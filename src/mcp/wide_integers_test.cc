#include "mcp/wide_integers.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"

namespace ducat::mcp {
namespace {

using testing::FailsWith;
using testing::IsOk;

constexpr ArgumentsAt kMessages = ArgumentsAt::kMessages;

std::string Parsed(std::string_view text, ArgumentsAt arguments = kMessages) {
  json::Document document;
  const auto root = ParseWithWideIntegers(document, text, arguments);
  return root ? root->ToJson() : root.error().message;
}

TEST(WideIntegers, StayNumbersUpTo64Bits) {
  const std::string text =
      R"({"params":{"arguments":{"a":-9223372036854775808,"b":18446744073709551615}}})";
  EXPECT_EQ(Parsed(text), text);
}

TEST(WideIntegers, AreStringsBeyond) {
  EXPECT_EQ(Parsed(R"({"params":{"arguments":{"a":{"x":[18446744073709551616]},)"
                   R"("b":-9223372036854775809,"s":"99999999999999999999 \" 1"}}})"),
            R"({"params":{"arguments":{"a":{"x":["18446744073709551616"]},)"
            R"("b":"-9223372036854775809","s":"99999999999999999999 \" 1"}}})");
  EXPECT_EQ(Parsed(R"([{"params":{"arguments":{"a":99999999999999999999}}}])"),
            R"([{"params":{"arguments":{"a":"99999999999999999999"}}}])");
  EXPECT_EQ(Parsed(R"({"a":99999999999999999999})", ArgumentsAt::kRoot),
            R"({"a":"99999999999999999999"})");
}

TEST(WideIntegers, AreRefusedOutsideOfArguments) {
  json::Document document;
  for (const char* text :
       {R"({"id":99999999999999999999,"params":{"arguments":{}}})",
        R"({"params":{"_meta":{"progressToken":99999999999999999999},"arguments":{"a":1}}})",
        R"({"arguments":{"params":{"a":99999999999999999999}}})",
        R"({"params":{"arguments":99999999999999999999}})",
        R"({"params":{"arguments":{"a":1e400}}})"}) {
    EXPECT_THAT(ParseWithWideIntegers(document, text, kMessages), FailsWith("json_limit")) << text;
  }
  EXPECT_THAT(ParseWithWideIntegers(document, R"({"params":{"arguments":{"a":09}}})", kMessages),
              FailsWith("json_syntax"));
}

TEST(WideIntegers, NameANumberThatStaysTooLarge) {
  EXPECT_THAT(Parsed(R"({"params":{"arguments":{"x":1e400}}})"),
              ::testing::HasSubstr("params.arguments.x: 1e400"));
}

}  // namespace
}  // namespace ducat::mcp
