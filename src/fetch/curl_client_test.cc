#include "fetch/curl_client.h"

#include <optional>

#include <gmock/gmock.h>

#include "support/canned_server.h"

namespace ducat::fetch {
namespace {

using std::chrono::milliseconds;
using testing::CannedReply;
using testing::CannedServer;
using ::testing::HasSubstr;

class CurlClientTest : public ::testing::Test {
 protected:
  Result<std::string> Get(GetRequest request) {
    std::optional<Result<std::string>> got;
    client_.Get(std::move(request), [&got](const Result<std::string>& result) { got = result; });
    EXPECT_FALSE(got.has_value());  // later, never at once
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!got && std::chrono::steady_clock::now() < end) {
      loop_.restart();
      loop_.run_for(milliseconds(5));
    }
    return got.value_or(Result<std::string>(Internal("nothing came")));
  }
  static std::string Message(const Result<std::string>& result) {
    return result ? "no failure" : result.error().reason + ": " + result.error().message;
  }

  boost::asio::io_context loop_;
  CurlClient client_{loop_};
};

TEST_F(CurlClientTest, GetsABody) {
  CannedServer server(CannedReply("200 OK", "{\"keys\":[]}"));
  EXPECT_EQ(Get({.url = server.url("/jwks")}).value(), "{\"keys\":[]}");
  EXPECT_EQ(Get({.url = server.url("/jwks")}).value(), "{\"keys\":[]}");
  EXPECT_EQ(server.requests(), 2);
}

TEST_F(CurlClientTest, OtherStatusesFail) {
  CannedServer server(CannedReply("404 Not Found", "nothing"));
  EXPECT_THAT(Message(Get({.url = server.url()})), HasSubstr("fetch_failed"));
  server.Say(CannedReply("500 Oops", "nothing"));
  EXPECT_THAT(Message(Get({.url = server.url()})), HasSubstr("500"));
}

TEST_F(CurlClientTest, S20FollowsNoRedirect) {
  CannedServer other(CannedReply("200 OK", "elsewhere"));
  CannedServer server(CannedReply("302 Found", "", "Location: " + other.url() + "\r\n"));
  EXPECT_THAT(Message(Get({.url = server.url()})), HasSubstr("302"));
  EXPECT_EQ(other.requests(), 0);
}

TEST_F(CurlClientTest, HasALimitOfSize) {
  CannedServer server(CannedReply("200 OK", std::string(1'000, 'a')));
  EXPECT_EQ(Get({.url = server.url(), .bytes_max = 1'000}).value().size(), 1'000U);
  EXPECT_THAT(Message(Get({.url = server.url(), .bytes_max = 999})), HasSubstr("over 999 bytes"));
  // Without a length that could be believed.
  const std::string body(1'000, 'a');
  server.Say("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + body);
  EXPECT_EQ(Get({.url = server.url(), .bytes_max = 1'000}).value(), body);
  EXPECT_THAT(Message(Get({.url = server.url(), .bytes_max = 999})), HasSubstr("over 999 bytes"));
}

TEST_F(CurlClientTest, HasALimitOfTime) {
  CannedServer server("");
  EXPECT_THAT(Message(Get({.url = server.url(), .timeout = milliseconds(50)})),
              HasSubstr("Timeout"));
}

TEST_F(CurlClientTest, SpeaksHttpAlone) {
  EXPECT_THAT(Message(Get({.url = "file:///etc/passwd"})), HasSubstr("fetch_failed"));
  EXPECT_THAT(Message(Get({.url = "nonsense://"})), HasSubstr("fetch_failed"));
}

TEST_F(CurlClientTest, NobodyThere) {
  std::string url;
  {
    CannedServer server("");
    url = server.url();
  }
  EXPECT_THAT(Message(Get({.url = url})), HasSubstr("fetch_failed"));
}

TEST_F(CurlClientTest, OneThatIsDestroyedCallsNobody) {
  CannedServer server("");
  bool called = false;
  {
    CurlClient client(loop_);
    client.Get({.url = server.url(), .timeout = milliseconds(50)},
               [&called](const Result<std::string>&) { called = true; });
    loop_.run_for(milliseconds(20));
  }
  loop_.restart();
  loop_.run_for(milliseconds(100));
  EXPECT_FALSE(called);
}

TEST_F(CurlClientTest, ManyAtATime) {
  CannedServer server(CannedReply("200 OK", "here"));
  int got = 0;
  for (int i = 0; i < 8; ++i) {
    client_.Get({.url = server.url()}, [&got](const Result<std::string>& result) {
      got += static_cast<int>(result.value_or("") == "here");
    });
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (got < 8 && std::chrono::steady_clock::now() < end) {
    loop_.restart();
    loop_.run_for(milliseconds(5));
  }
  EXPECT_EQ(got, 8);
}

}  // namespace
}  // namespace ducat::fetch
