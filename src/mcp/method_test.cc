#include "mcp/method.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

TEST(Method, NamesRoundTrip) {
  for (int i = 0; i <= static_cast<int>(Method::kTasksCancel); ++i) {
    const auto method = static_cast<Method>(i);
    EXPECT_EQ(ParseMethod(Name(method)), method);
  }
  for (const std::string_view name : {"", "Ping", "tools/List", "tasks/list", "notifications/x"}) {
    EXPECT_EQ(ParseMethod(name), std::nullopt) << name;
  }
}

TEST(Method, BelongsToOneEraOrBoth) {
  EXPECT_TRUE(IsLegacyOnly(Method::kPing));
  EXPECT_TRUE(IsLegacyOnly(Method::kInitialize));
  EXPECT_TRUE(IsLegacyOnly(Method::kResourcesUnsubscribe));
  EXPECT_FALSE(IsLegacyOnly(Method::kDiscover));
  EXPECT_FALSE(IsLegacyOnly(Method::kToolsCall));
  EXPECT_TRUE(IsModernOnly(Method::kListen));
  EXPECT_FALSE(IsModernOnly(Method::kToolsCall));
  EXPECT_TRUE(IsTaskMethod(Method::kTasksGet));
  EXPECT_TRUE(IsTaskMethod(Method::kTasksCancel));
  EXPECT_FALSE(IsTaskMethod(Method::kComplete));
}

}  // namespace
}  // namespace ducat::mcp
