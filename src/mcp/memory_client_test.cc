#include "mcp/memory_client.h"

#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

TEST(MemoryClient, GathersWhatComesBack) {
  ducat::testing::McpFixture fixture;
  fixture.client->Feed(ducat::testing::LegacyRequest("1", "ping"));
  fixture.client->Feed(ducat::testing::LegacyRequest("2", "ping"));
  EXPECT_EQ(fixture.client->Take().size(), 2U);
  EXPECT_TRUE(fixture.client->Take().empty());
  EXPECT_EQ(fixture.Ask(ducat::testing::LegacyRequest("3", "ping")),
            R"({"jsonrpc":"2.0","id":3,"result":{}})");
}

}  // namespace
}  // namespace ducat::mcp
