#include "mcp/scopes.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

bool May(Scopes granted, const Scopes& needed) {
  return MayUse(std::make_shared<const Scopes>(std::move(granted)), needed);
}

TEST(ScopesTest, CoverWhatIsNeeded) {
  EXPECT_TRUE(MayUse(nullptr, {"fx:read"}));
  EXPECT_TRUE(May({}, {}));
  EXPECT_FALSE(May({}, {"fx:read"}));
  EXPECT_TRUE(May({"fx:read"}, {"fx:read"}));
  EXPECT_TRUE(May({"fx:*"}, {"fx:read"}));
  EXPECT_TRUE(May({"fx:*"}, {"fx:read:deep"}));
  EXPECT_TRUE(May({"*"}, {"fx:read", "edgar:read"}));
  EXPECT_TRUE(May({"a", "fx:read"}, {"fx:read", "a"}));
  EXPECT_FALSE(May({"fx:read"}, {"fx:read", "edgar:read"}));
  for (const char* other : {"fx:write", "fx", "f:*", "fx*", "fx:", "FX:read", "fx:read:*", "x:*"}) {
    EXPECT_FALSE(May({other}, {"fx:read"})) << other;
  }
}

TEST(ScopesTest, AreWords) {
  EXPECT_TRUE(IsScope("fx:read"));
  for (const char* bad : {"", "a b", "a\"", "a\\", "\x7f", "\xC3\xA4", "a\t"}) {
    EXPECT_FALSE(IsScope(bad)) << bad;
  }
  EXPECT_EQ(JoinScopes({"a:read", "b"}), "a:read b");
}

}  // namespace
}  // namespace ducat::mcp
