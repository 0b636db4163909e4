#include "worker/child/guard/parameters.h"

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

using engine::NamedParameters;

std::optional<Finding> Check(const std::vector<std::string>& named, const NamedParameters& given,
                             std::string_view sql) {
  return CheckParameters(named, &given, Tokenize(sql));
}

TEST(Parameters, ExactlyThoseThatTheTextNames) {
  EXPECT_FALSE(Check({"1"}, {{"1", {}}}, "SELECT ?").has_value());
  EXPECT_FALSE(Check({"a"}, {{"A", {}}}, "SELECT $a").has_value());
  EXPECT_FALSE(CheckParameters({}, nullptr, Tokenize("SELECT 1")).has_value());
  const auto missing = Check({"1", "2"}, {{"1", {}}}, "SELECT ?, ?");
  ASSERT_TRUE(missing.has_value());
  EXPECT_EQ(missing->code, "missing_parameter");
  EXPECT_EQ(missing->hint, "Expected: $1, $2; given: $1. Send it in params, as in {\"2\": 8}.");
  ASSERT_TRUE(missing->span.has_value());
  EXPECT_EQ(missing->span->offset, 10U);
  const auto unused = Check({}, {{"x", {}}}, "SELECT 1");
  ASSERT_TRUE(unused.has_value());
  EXPECT_EQ(unused->code, "unused_parameter");
}

TEST(Parameters, MarksGoOnFromTheNumberBefore) {
  const auto missing = Check({"1", "2"}, {{"1", {}}}, "SELECT $1, ?");
  ASSERT_TRUE(missing.has_value() && missing->span.has_value());
  EXPECT_EQ(missing->span->offset, 11U);
}

TEST(Parameters, NumbersHaveNoGaps) {
  const auto gap = Check({"1", "3"}, {{"1", {}}, {"3", {}}}, "SELECT $1, $3");
  ASSERT_TRUE(gap.has_value() && gap->span.has_value());
  EXPECT_EQ(gap->message, "The statement numbers its parameters but has no $2.");
  EXPECT_EQ(gap->span->offset, 11U);
}

TEST(Parameters, AMixtureIsFound) {
  const auto place = [](std::string_view sql) { return MixedParameter(Tokenize(sql)); };
  EXPECT_EQ(place("SELECT $a, ?").value_or(Span{}).offset, 11U);
  EXPECT_EQ(place("SELECT $1, $a, $b").value_or(Span{}).offset, 11U);
  EXPECT_FALSE(place("SELECT $1, ?").has_value());
  EXPECT_FALSE(place("SELECT '?', $a").has_value());
}

}  // namespace
}  // namespace ducat::guard
