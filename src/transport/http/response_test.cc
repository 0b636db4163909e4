#include "transport/http/response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Head(const Response& response, const Framing& framing) {
  std::string out;
  AppendHead(response, framing, DateLine().At(WallTime{} + std::chrono::seconds(784'111'777)), out);
  return out;
}

TEST(Response, WritesAHead) {
  EXPECT_EQ(
      Head({.status = 200, .content_type = kJsonType, .headers = "X: y\r\n", .body = "{}"}, {}),
      "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
      "Content-Type: application/json\r\nX-Content-Type-Options: nosniff\r\n"
      "Content-Length: 2\r\nX: y\r\n\r\n");
}

// Also when somebody sets the clock back.
TEST(DateLine, FollowsTheClock) {
  DateLine date;
  const auto at = [&date](int64_t seconds) {
    return std::string(date.At(WallTime{} + std::chrono::seconds(seconds)));
  };
  EXPECT_EQ(at(784'111'777), "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  EXPECT_EQ(at(784'111'777), "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
  EXPECT_EQ(at(784'111'778), "Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
  EXPECT_EQ(at(0), "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
}

TEST(Response, FramesStreamsByVersion) {
  const Response response{.content_type = kEventStreamType, .headers = {}, .body = {}};
  EXPECT_THAT(Head(response, {.stream = true}), HasSubstr("Transfer-Encoding: chunked\r\n"));
  const std::string old = Head(response, {.version = 10, .keep_alive = false, .stream = true});
  EXPECT_THAT(old, Not(HasSubstr("chunked")));
  EXPECT_THAT(old, HasSubstr("HTTP/1.0 200 OK\r\n"));
  EXPECT_THAT(old, HasSubstr("Connection: close\r\n"));
}

TEST(Response, SaysHowTheConnectionGoesOn) {
  const Response empty{.status = 204, .content_type = {}, .headers = {}, .body = {}};
  EXPECT_THAT(Head(empty, {}), Not(HasSubstr("Content-")));
  EXPECT_THAT(Head(empty, {}), Not(HasSubstr("Connection")));
  EXPECT_THAT(Head(empty, {.version = 10}), HasSubstr("Connection: keep-alive\r\n"));
}

}  // namespace
}  // namespace ducat::transport
