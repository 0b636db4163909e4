#include "transport/http/gate.h"

#include <array>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RequestHead Head(std::string_view method, std::string_view target,
                 std::vector<HeaderLine> headers = {}) {
  headers.push_back({.name = "Host", .value = "localhost"});
  return {.method = method, .target = target, .headers = std::move(headers), .content_length = {}};
}

Place Find(const RequestHead& head, const HttpOptions& options = {}) {
  return FindPlace(head, options, TrustedNames(options));
}

int StatusOf(const Place& place) {
  return place.refusal ? place.refusal->status : 200;
}

constexpr std::array kRoutes{"/mcp",    "/mcp/",       "/healthz",
                             "/readyz", "/robots.txt", "/.well-known/mcp.json"};
constexpr std::array kMethods{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"};

TEST(Gate, S01ForeignOriginsAreRefusedOnEveryRouteAndMethod) {
  for (const char* route : kRoutes) {
    for (const char* method : kMethods) {
      for (const char* origin : {"http://evil.example", "null"}) {
        const Place place = Find(
            Head(method, route,
                 {{"Origin", origin}, {"Accept", "text/event-stream"}, {"Mcp-Session-Id", "x"}}));
        EXPECT_EQ(StatusOf(place), 403) << method << " " << route;
        EXPECT_EQ(place.cors, "");
      }
    }
  }
}

TEST(Gate, S02ForeignHostsAreRefusedAlsoWithAGoodOrigin) {
  for (const char* route : kRoutes) {
    for (const char* method : kMethods) {
      RequestHead head = Head(method, route, {{"Origin", "http://localhost:1"}});
      head.headers.back().value = "evil.example";
      EXPECT_EQ(StatusOf(Find(head)), 403) << method << " " << route;
    }
  }
}

TEST(Gate, S03CorsIsNeverForEverybody) {
  const Place place = Find(Head("POST", "/mcp", {{"Origin", "http://localhost:5173"}}));
  EXPECT_THAT(place.cors, HasSubstr("Access-Control-Allow-Origin: http://localhost:5173\r\n"));
  EXPECT_THAT(place.cors, HasSubstr("Vary: Origin\r\n"));
  EXPECT_THAT(place.cors, HasSubstr("Mcp-Session-Id"));
  EXPECT_THAT(place.cors, Not(HasSubstr("*")));
  EXPECT_EQ(Find(Head("POST", "/mcp")).cors, "");
}

TEST(Gate, S03PreflightsAreAnsweredForAllowedOriginsOnly) {
  const Place place =
      Find(Head("OPTIONS", "/mcp",
                {{"Origin", "http://localhost:1"},
                 {"Access-Control-Request-Headers", "content-type, Mcp-Param-Region, x-evil"}}));
  EXPECT_TRUE(place.preflight);
  EXPECT_THAT(place.cors, HasSubstr("Access-Control-Max-Age: 600\r\n"));
  EXPECT_THAT(place.cors, HasSubstr("Last-Event-ID, Mcp-Param-Region\r\n"));
  EXPECT_THAT(place.cors, Not(HasSubstr("x-evil")));
  EXPECT_EQ(StatusOf(Find(Head("OPTIONS", "/mcp"))), 403);
}

TEST(Gate, FindsRoutes) {
  EXPECT_EQ(Find(Head("POST", "/mcp")).route, Route::kMcp);
  EXPECT_EQ(Find(Head("POST", "/mcp/?x=1")).route, Route::kMcp);
  EXPECT_EQ(StatusOf(Find(Head("POST", "/mcp//"))), 404);
  EXPECT_EQ(StatusOf(Find(Head("POST", "/Mcp"))), 404);
  EXPECT_EQ(StatusOf(Find(Head("GET", "/sse"))), 404);
  HttpOptions options;
  options.path = "/other";
  EXPECT_EQ(Find(Head("POST", "/other"), options).route, Route::kMcp);
  EXPECT_EQ(StatusOf(Find(Head("POST", "/mcp"), options)), 404);
}

TEST(Gate, GetAndDeleteNeedASession) {
  const HeaderLine stream{"Accept", "text/event-stream"};
  const HeaderLine session{"Mcp-Session-Id", "x"};
  EXPECT_EQ(StatusOf(Find(Head("GET", "/mcp", {stream, session}))), 200);
  EXPECT_EQ(StatusOf(Find(Head("GET", "/mcp", {stream}))), 405);
  EXPECT_EQ(StatusOf(Find(Head("GET", "/mcp", {session}))), 405);
  EXPECT_EQ(StatusOf(Find(Head("GET", "/mcp", {session, {"Accept", "*/*"}}))), 405);
  EXPECT_EQ(StatusOf(Find(Head("DELETE", "/mcp", {session}))), 200);
  EXPECT_EQ(StatusOf(Find(Head("DELETE", "/mcp"))), 405);
  HttpOptions stateless;
  stateless.stateful = false;
  EXPECT_EQ(StatusOf(Find(Head("GET", "/mcp", {stream, session}), stateless)), 405);
  EXPECT_EQ(StatusOf(Find(Head("DELETE", "/mcp", {session}), stateless)), 405);
}

TEST(Gate, F19ReadsAcceptLeniently) {
  const auto forms = [](std::optional<std::string_view> accept) {
    const Accepted accepted = ReadAccept(accept);
    return std::string(accepted.json ? "json " : "") + (accepted.stream ? "stream" : "");
  };
  EXPECT_EQ(forms(std::nullopt), "json stream");
  EXPECT_EQ(forms("*/*"), "json stream");
  EXPECT_EQ(forms("application/json, text/event-stream"), "json stream");
  EXPECT_EQ(forms("text/event-stream,APPLICATION/JSON;q=0.1"), "json stream");
  EXPECT_EQ(forms("text/event-stream"), "stream");
  EXPECT_EQ(forms("application/json; charset=utf-8"), "json ");
  EXPECT_EQ(forms("application/*"), "json ");
  EXPECT_EQ(forms("application/json;q=0, text/event-stream;q=0.000"), "");
  EXPECT_EQ(forms("text/html"), "");
  EXPECT_EQ(forms(""), "");
}

int PostStatus(std::vector<HeaderLine> headers, std::optional<uint64_t> length = 10) {
  RequestHead head = Head("POST", "/mcp", std::move(headers));
  head.content_length = length;
  const auto refusal = JudgePost(head, {});
  return refusal ? refusal->status : 200;
}

TEST(Gate, JudgesThePost) {
  EXPECT_EQ(PostStatus({{"Content-Type", "application/json"}}), 200);
  EXPECT_EQ(PostStatus({{"Content-Type", "Application/JSON ; charset=\"UTF-8\""}}), 200);
  EXPECT_EQ(PostStatus({{"Content-Type", "application/json; charset=latin1"}}), 415);
  EXPECT_EQ(PostStatus({{"Content-Type", "text/plain"}}), 415);
  EXPECT_EQ(PostStatus({}), 415);
  EXPECT_EQ(PostStatus({{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}}), 415);
  EXPECT_EQ(PostStatus({{"Content-Type", "application/json"}, {"Accept", "text/html"}}), 406);
}

TEST(Gate, LimitOfTheDeclaredBody) {
  const std::vector<HeaderLine> json{{"Content-Type", "application/json"}};
  EXPECT_EQ(PostStatus(json, uint64_t{4} << 20U), 200);
  EXPECT_EQ(PostStatus(json, (uint64_t{4} << 20U) + 1), 413);
}

}  // namespace
}  // namespace ducat::transport
