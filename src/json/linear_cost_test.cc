// No text makes the parser's work quadratic (S-16): counted in instructions, at 1x, 2x and 4x.
#include <string>

#include <gtest/gtest.h>

#include "json/view.h"
#include "support/counting_test.h"

namespace ducat::json {
namespace {

using ::ducat::testing::GrowthOf;
using ::ducat::testing::kLinear;
using ::ducat::testing::kSorting;

struct LinearCost : ::ducat::testing::CountingTest {
  static void Parse(const std::string& text) {
    Document document;
    EXPECT_TRUE(document.Parse(text).has_value());
  }
};

// {"<prefix>100":0,…}: n members.
std::string ObjectOf(size_t n, std::string_view prefix) {
  std::string text = "{";
  for (size_t i = 0; i < n; ++i) {
    text.append(i == 0 ? "\"" : ",\"").append(prefix);
    text.append(std::to_string(i * 7919 % 1000 + 1000)).append("\":0");
  }
  return text + "}";
}

TEST_F(LinearCost, S16LookingForDuplicateKeys) {
  EXPECT_LT(GrowthOf(20, [](size_t n) { return ObjectOf(n, ""); }, Parse), kSorting);
}

TEST_F(LinearCost, S16LookingForDuplicatesOfKeysThatBeginAlike) {
  EXPECT_LT(GrowthOf(20, [](size_t n) { return ObjectOf(n, "sixteen_bytes___"); }, Parse), kLinear);
}

TEST_F(LinearCost, S16ManyObjectsInEachOther) {
  const auto nested = [](size_t n) {
    std::string text;
    for (size_t i = 0; i < n; ++i) {
      text.append("{\"a\":");
    }
    return text.append("1").append(n, '}');
  };
  EXPECT_LT(GrowthOf(15, nested, Parse), kLinear);
}

TEST_F(LinearCost, S16FindingTheIdOfABrokenMessage) {
  const auto broken = [](size_t n) { return "{\"a\":\"" + std::string(n, '\\') + "\",\"id\":1"; };
  const auto find = [](const std::string& text) { static_cast<void>(ScanTopLevel(text, "id")); };
  EXPECT_LT(GrowthOf(200, broken, find), kLinear);
}

}  // namespace
}  // namespace ducat::json
