#include "worker/frame.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

struct Seen {
  FrameKind kind;
  uint64_t job;
  std::string payload;
  bool operator==(const Seen&) const = default;
};

// Collects what a decoder hands over.
struct Collector {
  std::vector<Seen> frames;
  FrameDecoder::Sink sink() {
    return [this](const Frame& frame) -> Status {
      frames.push_back({frame.header.kind, frame.header.job, std::string(frame.payload)});
      return {};
    };
  }
};

std::string HeaderBytes(FrameHeader header) {
  const auto bytes = EncodeHeader(header);
  return {bytes.data(), bytes.size()};
}

TEST(Frame, HeaderIsLittleEndian) {
  const std::string bytes = HeaderBytes({.payload_bytes = 0x01020304,
                                         .kind = FrameKind::kRows,
                                         .flags = 0x0506,
                                         .job = 0x0708090A0B0C0D0E});
  EXPECT_EQ(bytes,
            std::string("\x04\x03\x02\x01\x07\x00\x06\x05\x0E\x0D\x0C\x0B\x0A\x09\x08\x07", 16));
}

TEST(Frame, EveryCutGivesTheSameFrames) {
  const std::vector<Seen> expected{{FrameKind::kProgress, 1, "{}"},
                                   {FrameKind::kRows, 1, std::string(300, 'x')},
                                   {FrameKind::kText, 1, ""},
                                   {FrameKind::kDone, 1, "{\"a\":1}"}};
  std::string stream;
  for (const Seen& frame : expected)
    stream += EncodeFrame(frame.kind, frame.job, frame.payload);
  for (size_t step = 1; step <= stream.size(); ++step) {
    Collector collector;
    FrameDecoder decoder(FrameDirection::kFromWorker);
    for (size_t at = 0; at < stream.size(); at += step) {
      ASSERT_THAT(decoder.Feed(std::string_view(stream).substr(at, step), collector.sink()),
                  IsOk());
    }
    EXPECT_EQ(collector.frames, expected) << "in steps of " << step;
    EXPECT_TRUE(decoder.at_boundary());
  }
}

TEST(Frame, LimitsHoldAtTheHeaderBeforeThePayloadComes) {
  const std::vector<std::pair<FrameKind, size_t>> limits{
      {FrameKind::kRows, kPieceBytesMax},  {FrameKind::kText, kPieceBytesMax},
      {FrameKind::kMeta, kMetaBytesMax},   {FrameKind::kDone, kDoneBytesMax},
      {FrameKind::kReady, kSmallBytesMax}, {FrameKind::kProgress, kSmallBytesMax}};
  for (const auto& [kind, limit] : limits) {
    Collector collector;
    FrameDecoder at_limit(FrameDirection::kFromWorker);
    EXPECT_THAT(
        at_limit.Feed(HeaderBytes({.payload_bytes = static_cast<uint32_t>(limit), .kind = kind}),
                      collector.sink()),
        IsOk());
    FrameDecoder past_limit(FrameDirection::kFromWorker);
    EXPECT_THAT(past_limit.Feed(
                    HeaderBytes({.payload_bytes = static_cast<uint32_t>(limit + 1), .kind = kind}),
                    collector.sink()),
                FailsWith("frame_error"));
  }
}

TEST(Frame, SixteenMebibytesIsTheLimitTowardsTheWorker) {
  EXPECT_EQ(PayloadLimit(FrameKind::kJob, FrameDirection::kToWorker).value(), size_t{16} << 20);
  EXPECT_EQ(PayloadLimit(FrameKind::kCancel, FrameDirection::kToWorker).value(), 0u);
  Collector collector;
  FrameDecoder decoder(FrameDirection::kToWorker);
  EXPECT_THAT(decoder.Feed(HeaderBytes({.payload_bytes = (16u << 20) + 1, .kind = FrameKind::kJob}),
                           collector.sink()),
              FailsWith("frame_error"));
}

TEST(Frame, KindsTravelOneWayOnly) {
  for (uint16_t number = 0; number < 20; ++number) {
    const auto kind = static_cast<FrameKind>(number);
    const bool to_worker = PayloadLimit(kind, FrameDirection::kToWorker).has_value();
    const bool from_worker = PayloadLimit(kind, FrameDirection::kFromWorker).has_value();
    EXPECT_FALSE(to_worker && from_worker) << number;
    EXPECT_EQ(to_worker || from_worker, number >= 1 && number <= 11) << number;
  }
}

TEST(Frame, ABrokenStreamStaysBroken) {
  Collector collector;
  FrameDecoder decoder(FrameDirection::kFromWorker);
  EXPECT_THAT(decoder.Feed(HeaderBytes({.kind = FrameKind::kDone, .flags = 1}), collector.sink()),
              FailsWith("frame_error"));
  EXPECT_THAT(decoder.Feed(EncodeFrame(FrameKind::kDone, 1, "{}"), collector.sink()),
              FailsWith("frame_error"));
  EXPECT_TRUE(collector.frames.empty());
}

TEST(Frame, AnErrorOfTheReceiverEndsTheStream) {
  FrameDecoder decoder(FrameDirection::kFromWorker);
  int calls = 0;
  const auto sink = [&](const Frame&) -> Status {
    ++calls;
    return Internal("no");
  };
  const std::string two =
      EncodeFrame(FrameKind::kDone, 1, "{}") + EncodeFrame(FrameKind::kDone, 2, "{}");
  EXPECT_THAT(decoder.Feed(two, sink), FailsWith("internal_error"));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace ducat::worker
