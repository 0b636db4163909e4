#include "mcp/batch.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Collected final : Outbox {
  std::vector<std::string> messages;
  void Send(Kind, std::string message) override { messages.push_back(std::move(message)); }
};

TEST(Batch, AnswersOnceEveryElementIsSettled) {
  Collected out;
  Batch batch(out, 3);
  batch.Settle("1");
  batch.Settle("");
  EXPECT_THAT(out.messages, IsEmpty());
  batch.Settle("2");
  EXPECT_THAT(out.messages, ElementsAre("[1,2]"));
}

TEST(Batch, SaysNothingWhenNothingWasAsked) {
  Collected out;
  Batch silent(out, 2);
  silent.Settle("");
  silent.Settle("");
  Batch left(out, 1);
  left.Abandon();
  left.Settle("1");
  EXPECT_THAT(out.messages, IsEmpty());
}

std::string Pings(size_t count) {
  std::string batch;
  for (size_t i = 0; i < count; ++i) {
    batch += (i == 0 ? "[" : ",") + LegacyRequest(std::to_string(i), "ping");
  }
  return batch + "]";
}

TEST(Batches, TakeAHundredMessages) {
  McpFixture fixture;
  fixture.Handshake("2025-03-26");
  EXPECT_THAT(fixture.Ask(Pings(100)), HasSubstr(R"("id":99,"result":{})"));
  EXPECT_THAT(fixture.Ask(Pings(101)), HasSubstr("-32600"));
}

TEST(Batches, BelongToOneRevision) {
  for (const std::string_view revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    McpFixture fixture;
    fixture.Handshake(revision);
    EXPECT_THAT(fixture.Ask(Pings(1)), HasSubstr("-32600")) << revision;
  }
  McpFixture fresh;
  EXPECT_THAT(fresh.Ask(Pings(1)), HasSubstr("-32600")) << "before a handshake";
}

TEST(Batches, RefuseAnElementWithAClaim) {
  McpFixture fixture;
  fixture.Handshake("2025-03-26");
  EXPECT_THAT(fixture.Ask("[" + LegacyRequest("1", "ping") + "," +
                          ::ducat::testing::ModernRequest("2", "server/discover") + "]"),
              HasSubstr("2026-07-28 has no batches"));
}

}  // namespace
}  // namespace ducat::mcp
