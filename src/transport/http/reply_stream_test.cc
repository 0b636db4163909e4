#include "transport/http/reply_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

using Kind = mcp::Outbox::Kind;
using ::testing::HasSubstr;

const MonotonicTime kNow{};

TEST(ReplyStream, GivesAReplyAsAWhole) {
  const HttpLimits limits;
  ReplyStream stream(true, limits);
  int changes = 0;
  stream.Attach([&] { ++changes; });
  stream.Send(Kind::kReply, "{}");
  EXPECT_TRUE(stream.ended());
  EXPECT_FALSE(stream.must_stream());
  EXPECT_EQ(stream.TakeReply(), "{}");
  EXPECT_EQ(changes, 1);
  stream.Send(Kind::kChange, "late");
  EXPECT_FALSE(stream.must_stream());
}

TEST(ReplyStream, KeepsTheStatusOfARefusal) {
  const HttpLimits limits;
  ReplyStream stream(true, limits);
  stream.Refuse("{}", 404);
  EXPECT_EQ(stream.status(), 404);
  stream.Refuse("{}", 200);
  EXPECT_EQ(stream.status(), 404);
}

TEST(ReplyStream, BecomesAStreamOfEvents) {
  const HttpLimits limits;
  ReplyStream stream(true, limits);
  stream.Send(Kind::kExpendable, "1");
  EXPECT_TRUE(stream.must_stream());
  stream.BeginStream();
  EXPECT_EQ(stream.TakeEvents(), "event: message\ndata: 1\n\n");
  stream.Send(Kind::kReply, "2");
  EXPECT_EQ(stream.TakeEvents(), "event: message\ndata: 2\n\n");
  EXPECT_TRUE(stream.ended());
  EXPECT_EQ(stream.TakeEvents(), "");
}

TEST(ReplyStream, DropsWhatMayBeDroppedForAClientThatTakesOnlyJson) {
  const HttpLimits limits;
  ReplyStream stream(false, limits);
  stream.Send(Kind::kExpendable, "1");
  EXPECT_FALSE(stream.must_stream());
  stream.Send(Kind::kReply, "2");
  EXPECT_EQ(stream.TakeReply(), "2");
}

TEST(ReplyStream, LimitOfUnsentEvents) {
  const HttpLimits limits{.unsent_events_max = 3};
  ReplyStream stream(true, limits);
  for (int i = 0; i < 3; ++i) {
    stream.Send(Kind::kChange, "x");
  }
  EXPECT_FALSE(stream.overflowed());
  stream.Send(Kind::kExpendable, "dropped");
  EXPECT_FALSE(stream.overflowed());
  stream.Send(Kind::kChange, "x");
  EXPECT_TRUE(stream.overflowed());
  EXPECT_THAT(stream.TakeEvents(), ::testing::Not(HasSubstr("dropped")));
}

TEST(ReplyStream, LimitOfUnsentBytes) {
  const HttpLimits limits{.unsent_bytes_max = 100};
  ReplyStream at(true, limits);
  at.Send(Kind::kChange, std::string(100, 'x'));
  EXPECT_FALSE(at.overflowed());
  ReplyStream past(true, limits);
  past.Send(Kind::kChange, std::string(101, 'x'));
  EXPECT_TRUE(past.overflowed());
  // A reply is never lost to it.
  past.Send(Kind::kReply, std::string(1'000, 'y'));
  EXPECT_EQ(past.TakeReply().size(), 1'000U);
}

TEST(ReplyStream, NumbersPrimesAndReplays) {
  const HttpLimits limits;
  ReplyStream stream(true, limits);
  stream.KeepEvents(7);
  stream.PrimeFirst();
  stream.Send(Kind::kExpendable, "a");
  stream.BeginStream();
  EXPECT_EQ(stream.TakeEvents(),
            "id: 7-0\nretry: 1000\ndata: \n\nid: 7-1\nevent: message\ndata: a\n\n");
  stream.Send(Kind::kReply, "b");
  EXPECT_THAT(stream.TakeEvents(), HasSubstr("id: 7-2\n"));
  EXPECT_TRUE(stream.RewindAfter(0));
  EXPECT_EQ(stream.TakeEvents(),
            "id: 7-1\nevent: message\ndata: a\n\nid: 7-2\nevent: message\ndata: b\n\n");
  EXPECT_FALSE(stream.RewindAfter(9));
  stream.DropOldestKept();
  EXPECT_FALSE(stream.RewindAfter(0));
  EXPECT_TRUE(stream.RewindAfter(1));
}

TEST(ReplyStream, IsOverWhenDeliveredOrOutOfReach) {
  const HttpLimits limits{.replay_ttl = std::chrono::seconds(5)};
  ReplyStream delivered(true, limits);
  delivered.Attach([] {});
  delivered.Send(Kind::kReply, "{}");
  EXPECT_FALSE(delivered.IsOver(kNow));
  delivered.MarkDelivered();
  EXPECT_TRUE(delivered.IsOver(kNow));

  ReplyStream lost(true, limits);
  lost.Attach([] {});
  lost.Detach(kNow);
  EXPECT_FALSE(lost.IsOver(kNow));  // its request still runs
  lost.Send(Kind::kReply, "{}");
  EXPECT_TRUE(lost.IsOver(kNow));  // it had no ids that anybody saw

  ReplyStream kept(true, limits);
  kept.KeepEvents(1);
  kept.BeginStream();
  kept.Detach(kNow);
  kept.Send(Kind::kReply, "{}");
  EXPECT_FALSE(kept.IsOver(kNow + std::chrono::milliseconds(4'999)));
  EXPECT_TRUE(kept.IsOver(kNow + std::chrono::milliseconds(5'000)));
}

}  // namespace
}  // namespace ducat::transport
