#include "transport/http/request_parser.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

constexpr std::string_view kChunkedHead =
    "POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";

struct Outcome {
  int fault = 0;
  bool done = false;
  std::string body;
};

// Reads `body` as it comes in the given pieces; what is not taken comes again in front.
Outcome ReadInPieces(std::string_view head, std::string_view body,
                     const std::vector<size_t>& ends) {
  const HttpLimits limits;
  const std::string whole_head(head);
  RequestParser parser(limits);
  if (const auto fault = parser.ReadHead(whole_head)) return {.fault = fault->status, .body = {}};
  std::string waiting;
  size_t from = 0;
  for (const size_t end : ends) {
    waiting += body.substr(from, end - from);
    from = end;
    size_t taken = 0;
    if (const auto fault = parser.ReadBody(waiting, taken)) {
      return {.fault = fault->status, .body = {}};
    }
    waiting.erase(0, taken);
    if (parser.done()) break;
  }
  return {.done = parser.done(), .body = parser.body()};
}

class ChunkedBody : public testing::TestWithParam<std::string_view> {};

TEST_P(ChunkedBody, ReadsTheSameHoweverItIsCut) {
  const std::string_view body = GetParam();
  const Outcome whole = ReadInPieces(kChunkedHead, body, {body.size()});
  for (size_t first = 0; first <= body.size(); ++first) {
    for (size_t second = first; second <= body.size(); ++second) {
      const Outcome cut = ReadInPieces(kChunkedHead, body, {first, second, body.size()});
      ASSERT_EQ(cut.fault, whole.fault) << first << " " << second;
      ASSERT_EQ(cut.done, whole.done) << first << " " << second;
      ASSERT_EQ(cut.body, whole.body) << first << " " << second;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bodies, ChunkedBody,
                         testing::Values("0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n",
                                         "5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n",
                                         "1\r\na\r\n1\r\nb\r\n000;x\r\nA: b\r\nC: d\r\n\r\n",
                                         "0\r\nX", "zz\r\nhello\r\n", "5\r\nhelloXX0\r\n\r\n",
                                         "ffffffffffffffffff\r\nhello", "0;=\r\n\r\n"));

TEST(RequestParserTest, ReadsChunks) {
  const std::string_view body = "5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nX: y\r\n\r\n";
  const Outcome outcome = ReadInPieces(kChunkedHead, body, {body.size()});
  EXPECT_TRUE(outcome.done);
  EXPECT_EQ(outcome.body, "hello world");
}

TEST(RequestParserTest, WaitsForTheRestOfTheLastChunk) {
  const std::string_view body = "0\r\n\r\n";
  EXPECT_FALSE(ReadInPieces(kChunkedHead, body, {3, 4}).done);
  EXPECT_TRUE(ReadInPieces(kChunkedHead, body, {3, 4, 5}).done);
}

}  // namespace
}  // namespace ducat::transport
