#include "json/view.h"

#include <string>
#include <vector>

#include "support/result_matchers.h"

namespace ducat::json {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;

class ViewTest : public ::testing::Test {
 protected:
  View Read(std::string_view text) {
    const Result<View> root = document_.Parse(text);
    EXPECT_THAT(root, IsOk()) << text;
    return root.value_or(View());
  }
  Document document_;
};

TEST_F(ViewTest, ReadsAValueOfEachType) {
  const View root = Read(R"({"n":null,"b":true,"i":-7,"u":18446744073709551615,)"
                         R"("d":2.5,"s":"a\u0000b","a":[1,[]],"o":{}})");
  EXPECT_TRUE(root.Find("n")->IsNull());
  EXPECT_EQ(root.Find("b")->AsBoolean(), true);
  EXPECT_EQ(root.Find("i")->AsInteger(), -7);
  EXPECT_EQ(root.Find("u")->AsUnsigned(), 18446744073709551615U);
  EXPECT_EQ(root.Find("u")->AsInteger(), std::nullopt);
  EXPECT_EQ(root.Find("d")->AsDouble(), 2.5);
  EXPECT_EQ(root.Find("s")->AsString(), std::string_view("a\0b", 3));
  EXPECT_EQ(root.Find("a")->Size(), 2U);
  EXPECT_EQ(root.Find("o")->Size(), 0U);
  EXPECT_EQ(root.Size(), 8U);
  EXPECT_EQ(root.Find("absent"), std::nullopt);
  EXPECT_EQ(root.Find("N"), std::nullopt);
}

TEST_F(ViewTest, GivesNothingForTheWrongType) {
  for (const std::string_view text : {"null", "true", "\"1\"", "[1]", "{\"a\":1}"}) {
    const View value = Read(text);
    EXPECT_EQ(value.AsInteger(), std::nullopt) << text;
    EXPECT_EQ(value.AsUnsigned(), std::nullopt) << text;
    EXPECT_EQ(value.AsDouble(), std::nullopt) << text;
    EXPECT_FALSE(value.IsNumber()) << text;
  }
  EXPECT_EQ(Read("1").AsBoolean(), std::nullopt);
  EXPECT_EQ(Read("1").AsString(), std::nullopt);
  EXPECT_EQ(Read("[1]").Find("a"), std::nullopt);
  EXPECT_EQ(Read("1").Size(), 0U);
  EXPECT_TRUE(View().IsNull());
  EXPECT_EQ(View().ToJson(), "null");
}

TEST_F(ViewTest, TakesIntegralDoublesWithin53Bits) {
  EXPECT_EQ(Read("5.0").AsInteger(), 5);
  EXPECT_EQ(Read("1e3").AsInteger(), 1000);
  EXPECT_EQ(Read("-0.0").AsInteger(), 0);
  EXPECT_EQ(Read("9007199254740992.0").AsInteger(), int64_t{1} << 53);
  EXPECT_EQ(Read("9007199254740994.0").AsInteger(), std::nullopt);
  EXPECT_EQ(Read("1e300").AsInteger(), std::nullopt);
  EXPECT_EQ(Read("1.5").AsInteger(), std::nullopt);
  EXPECT_EQ(Read("-1").AsUnsigned(), std::nullopt);
  EXPECT_EQ(Read("7").AsUnsigned(), 7U);
  EXPECT_EQ(Read("9223372036854775807").AsInteger(), INT64_MAX);
  EXPECT_EQ(Read("9223372036854775808").AsUnsigned(), uint64_t{1} << 63);
  EXPECT_EQ(Read("9223372036854775808").AsInteger(), std::nullopt);
  EXPECT_EQ(Read("-9223372036854775808").AsInteger(), INT64_MIN);
  EXPECT_EQ(Read("9223372036854775808").AsDouble(), 9223372036854775808.0);
}

TEST_F(ViewTest, WalksInDocumentOrderUntilToldToStop) {
  const View root = Read(R"({"z":[1,[2],{"a":3}],"a":{"b":1.5},"m":18446744073709551615,"e":[]})");
  std::vector<std::string> keys;
  root.ForEachMember([&](std::string_view key, View) {
    keys.emplace_back(key);
    return key != "m";
  });
  EXPECT_THAT(keys, ElementsAre("z", "a", "m"));
  std::vector<std::string> elements;
  root.Find("z")->ForEachElement([&](View value) {
    elements.push_back(value.ToJson());
    return true;
  });
  EXPECT_THAT(elements, ElementsAre("1", "[2]", "{\"a\":3}"));
  int calls = 0;
  root.ForEachElement([&](View) { return ++calls > 0; });
  root.Find("z")->ForEachMember([&](std::string_view, View) { return ++calls > 0; });
  EXPECT_EQ(calls, 0);
}

TEST_F(ViewTest, WritesCompactJsonWithItsNumbersAsTheyWere) {
  for (const std::string_view text :
       {"null", "true", "[]", "{}", "[[],{},[{}]]", "9007199254740993", "-9223372036854775808",
        "18446744073709551615", "-0.0", "[0,-0.0]", "0.1", "1e+30", "-2.5",
        "\"a\\\"\\\\\\n\\u0001\"",
        R"({"a":[1,{"b":null,"c":[true,false]},"x"],"d":{"e":{}},"f":0})"}) {
    EXPECT_EQ(Read(text).ToJson(), text);
  }
  EXPECT_EQ(Read(" { \"a\" : [ 1 , 2.50 ] , \"b\" : \"\\u00e9\\/\" } ").ToJson(),
            "{\"a\":[1,2.5],\"b\":\"\xC3\xA9/\"}");
  EXPECT_EQ(Read(R"({"a":{"b":[1,2]},"c":3})").Find("a")->ToJson(), R"({"b":[1,2]})");
}

}  // namespace
}  // namespace ducat::json
