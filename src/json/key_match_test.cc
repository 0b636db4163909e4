#include "json/key_match.h"

#include <array>

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

constexpr std::array<std::string_view, 2> kAliases{"max_rows", "top"};
constexpr std::array<std::string_view, 1> kTableAliases{"limit"};

std::vector<Field> Fields() {
  return {Field{.name = "base_currency", .doc = ""},
          Field{.name = "limit", .doc = "", .rule = {.aliases = kAliases}},
          Field{.name = "table", .doc = "", .rule = {.aliases = kTableAliases}}};
}

using Index = std::optional<size_t>;

TEST(FindField, NeedsTheExactNameWhereverItIsExpected) {
  const auto fields = Fields();
  for (size_t expected = 0; expected < 5; ++expected) {
    EXPECT_EQ(FindField(fields, "limit", expected), Index(1));
    EXPECT_EQ(FindField(fields, "table", expected), Index(2));
    EXPECT_EQ(FindField(fields, "Limit", expected), std::nullopt);
    EXPECT_EQ(FindField(fields, "", expected), std::nullopt);
  }
}

TEST(FindAlias, FoldsSpellingsAndPrefersNamesToAliases) {
  const auto fields = Fields();
  for (const std::string_view key :
       {"baseCurrency", "BASE-CURRENCY", "base currency", "_base__currency_"}) {
    EXPECT_EQ(FindAlias(fields, key), Index(0)) << key;
  }
  EXPECT_EQ(FindAlias(fields, "maxRows"), Index(1));
  EXPECT_EQ(FindAlias(fields, "Top"), Index(1));
  EXPECT_EQ(FindAlias(fields, "Limit"),
            Index(1));  // the name, though another field has it as alias
  for (const std::string_view key : {"", "_", "base", "base_currencies", "tops", "max"}) {
    EXPECT_EQ(FindAlias(fields, key), std::nullopt) << key;
  }
}

TEST(IsClientKey, KnowsWhatClientsAdd) {
  for (const std::string_view key :
       {"_meta", "_", "toolCallId", "tool_call_id", "tool_call_description"}) {
    EXPECT_TRUE(IsClientKey(key)) << key;
  }
  for (const std::string_view key : {"", "meta", "toolcallid", "tool_call", "limit_"})
    EXPECT_FALSE(IsClientKey(key)) << key;
}

}  // namespace
}  // namespace ducat::json
