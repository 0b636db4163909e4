#include "mcp/uri_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(UriTemplate, TakesValuesApart) {
  const auto one = MatchTemplate("duckdb://schema/{table}", "duckdb://schema/orders");
  ASSERT_TRUE(one);
  EXPECT_THAT(*one, ElementsAre(Pair("table", "orders")));
  const auto two = MatchTemplate("t://{a}/x/{b}.json", "t://1/x/two.json");
  ASSERT_TRUE(two);
  EXPECT_THAT(*two, UnorderedElementsAre(Pair("a", "1"), Pair("b", "two")));
  EXPECT_TRUE(MatchTemplate("t://fixed", "t://fixed"));
}

TEST(UriTemplate, DecodesBeforeItChecks) {
  const auto match = MatchTemplate("s://{t}", "s://na%C3%AFve%20table%7Cx");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->at("t"), "naïve table|x");
  for (const std::string_view uri :
       {"s://", "s://a/b", "s://a%2Fb", "s://..", "s://a..b", "s://%2e%2e", "s://a%00b", "s://%",
        "s://%4", "s://%zz", "s://%ff", "x://a"}) {
    EXPECT_FALSE(MatchTemplate("s://{t}", uri)) << uri;
  }
}

TEST(UriTemplate, WantsTheWholeUri) {
  EXPECT_FALSE(MatchTemplate("t://fixed", "t://fixed2"));
  EXPECT_FALSE(MatchTemplate("t://{a}/end", "t://x/end/more"));
  EXPECT_FALSE(MatchTemplate("t://{a}/end", "t://x"));
}

TEST(UriTemplate, EncodesWhatItDecodes) {
  const std::string name = "a b/ü%|~-._Z9";
  const std::string encoded = EncodeVariable("a b ü%|~-._Z9");
  EXPECT_EQ(encoded, "a%20b%20%C3%BC%25%7C~-._Z9");
  EXPECT_EQ(MatchTemplate("s://{t}", "s://" + encoded)->at("t"), "a b ü%|~-._Z9");
  EXPECT_EQ(EncodeVariable(name).find('/'), std::string::npos);
}

TEST(UriTemplate, NamesItsVariables) {
  EXPECT_THAT(TemplateVariables("a/{b}/c/{d}"), ElementsAre("b", "d"));
  EXPECT_THAT(TemplateVariables("a/{b"), ElementsAre());
}

}  // namespace
}  // namespace ducat::mcp
