#include "mcp/params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

TEST(RequiredString, NamesWhatIsWrong) {
  json::Document document;
  const json::View object =
      *document.Parse(R"({"ok":"12345","empty":"","nul":"a\u0000b","number":5,"null":null})");
  EXPECT_EQ(*RequiredString(object, "ok", "params.ok", 5), "12345");
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"empty", "must not be empty"}, {"nul", "U+0000"},
      {"number", "must be a string"}, {"null", "must be a string"},
      {"absent", "must be a string"},
  };
  for (const auto& [key, words] : cases) {
    const auto text = RequiredString(object, key, "params.x", 100);
    ASSERT_FALSE(text) << key;
    EXPECT_EQ(text.error().code, rpc::kInvalidParams);
    EXPECT_THAT(text.error().message, HasSubstr(words));
    EXPECT_THAT(text.error().message, HasSubstr("params.x"));
  }
  EXPECT_THAT(RequiredString(object, "ok", "params.ok", 4).error().message,
              HasSubstr("longer than 4 bytes"));
  EXPECT_TRUE(AnyString(object, "empty", "params.empty", 5));
}

TEST(StringMap, TakesStringsOnly) {
  json::Document document;
  const json::View object = *document.Parse(
      R"({"ok":{"a":"1","b":""},"null":null,"list":[],"number":{"a":1},"nul":{"a":"\u0000"}})");
  EXPECT_THAT(*StringMap(object, "ok", "p"), ElementsAre(Pair("a", "1"), Pair("b", "")));
  EXPECT_TRUE(StringMap(object, "null", "p")->empty());
  EXPECT_TRUE(StringMap(object, "absent", "p")->empty());
  EXPECT_FALSE(StringMap(object, "list", "p"));
  EXPECT_THAT(StringMap(object, "number", "p").error().message, HasSubstr("p.a"));
  EXPECT_FALSE(StringMap(object, "nul", "p"));
}

}  // namespace
}  // namespace ducat::mcp
