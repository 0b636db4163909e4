#include "worker/child/frame_output.h"

#include <array>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "worker/frame.h"
#include "worker/spawn.h"

namespace ducat::worker::child {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using Seen = std::pair<FrameKind, std::string>;

// The control process's end of a channel: collects frames on a thread of its own.
class FrameOutputTest : public ::testing::Test {
 protected:
  FrameOutputTest() {
    std::array<int, 2> ends{};
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    ours_ = UniqueFd(ends[0]);
    theirs_ = UniqueFd(ends[1]);
    reader_ = std::thread([this] { Collect(); });
  }
  ~FrameOutputTest() override { (void)Frames(); }

  void Collect() {
    FrameDecoder decoder(FrameDirection::kFromWorker);
    std::array<char, 4'096> bytes;
    for (ssize_t count = 0; (count = read(ours_.get(), bytes.data(), bytes.size())) > 0;) {
      const Status status = decoder.Feed({bytes.data(), static_cast<size_t>(count)},
                                         [this](const Frame& frame) -> Status {
                                           frames_.emplace_back(frame.header.kind, frame.payload);
                                           return {};
                                         });
      CHECK(status.has_value());
    }
    CHECK(decoder.at_boundary());
  }
  // All frames, after the last write.
  std::vector<Seen> Frames() {
    theirs_.Reset();
    if (reader_.joinable()) reader_.join();
    return frames_;
  }

  UniqueFd ours_, theirs_;
  std::thread reader_;
  std::vector<Seen> frames_;
  JobWatch watch_{[] {}};
};

TEST_F(FrameOutputTest, SmallAnswersAreOneFrameOfEachKind) {
  Channel channel(theirs_.get());
  FrameOutput output(channel, watch_, 7);
  EXPECT_THAT(output.Meta("{}"), IsOk());
  for (int i = 0; i < 10; ++i) {
    EXPECT_THAT(output.Rows("[1],"), IsOk());
    EXPECT_THAT(output.Text("|"), IsOk());
  }
  output.Flush();
  output.Flush();
  std::string rows;
  for (int i = 0; i < 10; ++i)
    rows += "[1],";
  EXPECT_EQ(Frames(), (std::vector<Seen>{{FrameKind::kMeta, "{}"},
                                         {FrameKind::kRows, rows},
                                         {FrameKind::kText, "||||||||||"}}));
}

TEST_F(FrameOutputTest, LargeAnswersAreCutIntoFullPieces) {
  Channel channel(theirs_.get());
  FrameOutput output(channel, watch_, 7);
  const std::string bytes(2 * kPieceBytesMax + 5, 'x');
  EXPECT_THAT(output.Rows(bytes), IsOk());
  EXPECT_THAT(output.Rows("yy"), IsOk());
  output.Flush();
  const auto frames = Frames();
  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(frames[0].second.size(), kPieceBytesMax);
  EXPECT_EQ(frames[1].second.size(), kPieceBytesMax);
  EXPECT_EQ(frames[2].second, "xxxxxyy");
}

TEST_F(FrameOutputTest, MetaComesOnceBeforeRowsAndIsBounded) {
  Channel channel(theirs_.get());
  FrameOutput output(channel, watch_, 7);
  EXPECT_THAT(output.Meta(std::string(kMetaBytesMax + 1, ' ')), FailsWith("result_too_large"));
  EXPECT_THAT(output.Meta("{}"), IsOk());
  EXPECT_THAT(output.Meta("{}"), FailsWith("internal_error"));
  FrameOutput late(channel, watch_, 8);
  EXPECT_THAT(late.Rows("[1]"), IsOk());
  EXPECT_THAT(late.Meta("{}"), FailsWith("internal_error"));
}

TEST_F(FrameOutputTest, ProgressIsLimitedToTenASecond) {
  Channel channel(theirs_.get());
  FrameOutput output(channel, watch_, 7);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(350);
  while (std::chrono::steady_clock::now() < end)
    output.Progress(1, 2, std::string(5'000, 'x'));
  const auto frames = Frames();
  EXPECT_GE(frames.size(), 2u);
  EXPECT_LE(frames.size(), 4u);
  EXPECT_LT(frames.front().second.size(), 1'200u) << "the text is clipped";
}

TEST_F(FrameOutputTest, TakesNoMoreOnceInterrupted) {
  Channel channel(theirs_.get());
  FrameOutput output(channel, watch_, 7);
  watch_.Expect(7, std::chrono::steady_clock::now() + std::chrono::hours(1));
  watch_.Begin();
  EXPECT_THAT(output.Rows("[1]"), IsOk());
  watch_.Cancel(7);
  EXPECT_THAT(output.Rows("[2]"), FailsWith("cancelled"));
  EXPECT_THAT(output.Text("|"), FailsWith("cancelled"));
}

}  // namespace
}  // namespace ducat::worker::child
