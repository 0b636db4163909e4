#include "mcp/session.h"

#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

std::shared_ptr<Request> Named(std::string key) {
  auto request = std::make_shared<Request>();
  request->key = std::move(key);
  return request;
}

TEST(Session, KeepsRequestsUntilTheyAreRemoved) {
  ducat::testing::McpFixture fixture;
  Session& session = fixture.client->session();
  int idle = 0;
  session.OnIdle([&] { ++idle; });
  session.Add(Named("a"));
  session.Add(Named("b"));
  EXPECT_EQ(session.in_flight(), 2U);
  EXPECT_NE(session.Find("a"), nullptr);
  EXPECT_EQ(session.Find("c"), nullptr);
  session.Remove("c");
  session.Remove("a");
  EXPECT_EQ(idle, 0);
  session.Remove("b");
  session.Remove("b");
  EXPECT_EQ(idle, 1) << "once, when the last one went";
}

TEST(Session, GivesAllOfThemAway) {
  ducat::testing::McpFixture fixture;
  Session& session = fixture.client->session();
  session.Add(Named("a"));
  EXPECT_EQ(session.TakeAll().size(), 1U);
  EXPECT_EQ(session.in_flight(), 0U);
}

}  // namespace
}  // namespace ducat::mcp
