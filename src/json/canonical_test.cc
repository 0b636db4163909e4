#include "json/canonical.h"

#include <array>

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

std::string Canonical(std::string_view text, std::span<const std::string_view> without = {}) {
  Document document;
  const auto root = document.Parse(text);
  return root ? CanonicalJson(*root, without) : root.error().message;
}

TEST(CanonicalJson, SortsMembersAtEveryLevel) {
  EXPECT_EQ(Canonical(R"({"b":1, "a":[{"d":null,"c":true}], "":"x"})"),
            R"({"":"x","a":[{"c":true,"d":null}],"b":1})");
  EXPECT_EQ(Canonical(R"([{"b":{},"a":[]}, 1.5e3, "ä\n"])"),
            Canonical(R"([ {"a":[ ],"b":{ }},1.5e3,"\u00e4\n"])"));
}

TEST(CanonicalJson, KeepsTheOrderOfElements) {
  EXPECT_NE(Canonical("[1,2]"), Canonical("[2,1]"));
}

TEST(CanonicalJson, LeavesMembersOfTheOutermostObjectOut) {
  constexpr std::array<std::string_view, 2> kWithout{"_meta", "x"};
  EXPECT_EQ(Canonical(R"({"x":1,"n":{"x":2},"_meta":{}})", kWithout), R"({"n":{"x":2}})");
}

TEST(CanonicalJson, TellsDifferentNumbersApart) {
  EXPECT_NE(Canonical("9007199254740993"), Canonical("9007199254740992"));
}

}  // namespace
}  // namespace ducat::json
