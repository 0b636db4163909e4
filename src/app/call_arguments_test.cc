#include "app/call_arguments.h"

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::app {
namespace {

using testing::FailsWith;
using testing::IsOk;

std::string Arguments(const std::vector<std::string>& words) {
  const auto call = ParseCallWords(words);
  EXPECT_THAT(call, IsOk());
  return call ? call->arguments : "";
}

TEST(CallWords, TakeJsonAsItIs) {
  const auto call = ParseCallWords({"query", R"({"sql": "SELECT 1"})"});
  ASSERT_THAT(call, IsOk());
  EXPECT_EQ(call->tool, "query");
  EXPECT_EQ(call->arguments, R"({"sql": "SELECT 1"})");
}

TEST(CallWords, MakeAnObjectOfFields) {
  EXPECT_EQ(Arguments({"t"}), "{}");
  EXPECT_EQ(Arguments({"t", "--name", "orders", "--n=5"}), R"({"name":"orders","n":"5"})");
  EXPECT_EQ(Arguments({"t", "--wait-ms", "-1"}), R"({"wait_ms":"-1"})");
  EXPECT_EQ(Arguments({"t", "--analyze", "--sql", "SELECT '--x'"}),
            R"({"analyze":true,"sql":"SELECT '--x'"})");
  EXPECT_EQ(Arguments({"t", "--columns", "a", "--columns", "b"}), R"({"columns":["a","b"]})");
  EXPECT_EQ(Arguments({"t", "--empty", ""}), R"({"empty":""})");
}

TEST(CallWords, RefuseWhatIsUnclear) {
  EXPECT_THAT(ParseCallWords({}), FailsWith("invalid_usage"));
  EXPECT_THAT(ParseCallWords({"--name", "x"}), FailsWith("invalid_usage"));
  EXPECT_THAT(ParseCallWords({"t", "{}", "--name", "x"}), FailsWith("invalid_usage"));
  EXPECT_THAT(ParseCallWords({"t", "--name", "x", "y"}), FailsWith("invalid_usage"));
  EXPECT_THAT(ParseCallWords({"t", "--=x"}), FailsWith("invalid_usage"));
}

}  // namespace
}  // namespace ducat::app
