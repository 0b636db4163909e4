#include "worker/child/channel.h"

#include <array>
#include <csignal>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "worker/spawn.h"

namespace ducat::worker::child {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;
using Input = Channel::Input;

class ChannelTest : public ::testing::Test {
 protected:
  ChannelTest() {
    std::array<int, 2> ends{};
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
    ours_ = UniqueFd(ends[0]);
    theirs_ = UniqueFd(ends[1]);
  }
  void Give(std::string_view bytes) {
    ASSERT_EQ(write(ours_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  FrameDecoder::Sink sink() {
    return [this](const Frame& frame) -> Status {
      seen_.emplace_back(frame.payload);
      return {};
    };
  }

  UniqueFd ours_, theirs_;
  std::vector<std::string> seen_;
};

TEST_F(ChannelTest, ReadsFramesAndTellsTimeoutsFromTheEnd) {
  Channel channel(theirs_.get());
  EXPECT_EQ(channel.Read(0, sink()).value(), Input::kTimeout);
  const std::string two =
      EncodeFrame(FrameKind::kJob, 1, "a") + EncodeFrame(FrameKind::kJob, 2, "b");
  Give(std::string_view(two).substr(0, 20));
  EXPECT_EQ(channel.Read(-1, sink()).value(), Input::kFrames);
  EXPECT_EQ(seen_, std::vector<std::string>{"a"});
  Give(std::string_view(two).substr(20));
  EXPECT_EQ(channel.Read(-1, sink()).value(), Input::kFrames);
  EXPECT_EQ(seen_, (std::vector<std::string>{"a", "b"}));
  ours_.Reset();
  EXPECT_EQ(channel.Read(-1, sink()).value(), Input::kEnd);
}

TEST_F(ChannelTest, FramesOfAWorkerAreRefused) {
  Channel channel(theirs_.get());
  Give(EncodeFrame(FrameKind::kRows, 1, "[1]"));
  EXPECT_THAT(channel.Read(-1, sink()), FailsWith("frame_error"));
}

TEST_F(ChannelTest, EndsTheProcessWhenNobodyReads) {
  ours_.Reset();
  EXPECT_EXIT(
      {
        signal(SIGPIPE, SIG_IGN);
        Channel channel(theirs_.get());
        channel.Write(FrameKind::kDone, 1, "{}");
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ducat::worker::child
