// The header Mcp-Name as it is on the wire: it says what the body says, however it is written, or
// nothing runs (protocol.md 3.1, 7.6; S-07).
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/http_fixture.h"

namespace ducat::transport {
namespace {

using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpReply;
using testing::Mirror;
using testing::ModernRequest;
using ::testing::Not;
using testing::Post;

struct Case {
  std::string name, lines;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

HttpReply Echo(const std::string& lines) {
  HttpFixture fixture;
  HttpClient client(fixture);
  const std::string params = R"("name":"echo","arguments":{"message":"it ran"})";
  return client.Ask(
      Post(ModernRequest("1", "tools/call", params), Mirror("tools/call").append(lines)));
}

class NameThatAgrees : public ::testing::TestWithParam<Case> {};

TEST_P(NameThatAgrees, S07IsServed) {
  const HttpReply reply = Echo(GetParam().lines);
  EXPECT_EQ(reply.status, 200);
  EXPECT_THAT(reply.body, HasSubstr("it ran"));
}

INSTANTIATE_TEST_SUITE_P(
    NameHeader, NameThatAgrees,
    ::testing::Values(Case{"Plain", "Mcp-Name: echo\r\n"}, Case{"NoBlank", "Mcp-Name:echo\r\n"},
                      Case{"OuterBlanks", "Mcp-Name: \t echo \t\r\n"},
                      Case{"HeaderInOtherCase", "MCP-NAME: echo\r\n"},
                      Case{"Encoded", "Mcp-Name: =?base64?ZWNobw==?=\r\n"},
                      Case{"EncodedWithBlanks", "Mcp-Name:  =?base64?ZWNobw==?= \r\n"}),
    [](const auto& info) { return info.param.name; });

class NameThatDiffers : public ::testing::TestWithParam<Case> {};

TEST_P(NameThatDiffers, S07IsAMismatch) {
  const HttpReply reply = Echo(GetParam().lines);
  EXPECT_EQ(reply.status, 400);
  EXPECT_THAT(reply.body, HasSubstr(R"("code":-32020)"));
  EXPECT_THAT(reply.body, Not(HasSubstr("it ran")));
}

INSTANTIATE_TEST_SUITE_P(
    NameHeader, NameThatDiffers,
    ::testing::Values(
        Case{"Missing", ""}, Case{"Empty", "Mcp-Name:\r\n"}, Case{"Another", "Mcp-Name: slow\r\n"},
        Case{"ValueInOtherCase", "Mcp-Name: Echo\r\n"}, Case{"InnerBlank", "Mcp-Name: ec ho\r\n"},
        Case{"Quoted", "Mcp-Name: \"echo\"\r\n"}, Case{"List", "Mcp-Name: echo, echo\r\n"},
        Case{"PercentEncoded", "Mcp-Name: %65cho\r\n"},
        Case{"EncodedAnother", "Mcp-Name: =?base64?c2xvdw==?=\r\n"},
        Case{"EncodedWithInnerBlanks", "Mcp-Name: =?base64?IGVjaG8g?=\r\n"},
        Case{"EncodedWithoutPadding", "Mcp-Name: =?base64?ZWNobw?=\r\n"},
        Case{"EncodedWithSpareBits", "Mcp-Name: =?base64?ZWNobx==?=\r\n"},
        Case{"EncodedTwice", "Mcp-Name: =?base64?PT9iYXNlNjQ/WldOb2J3PT0/PQ==?=\r\n"},
        Case{"MarkInUpperCase", "Mcp-Name: =?BASE64?ZWNobw==?=\r\n"},
        Case{"OneMark", "Mcp-Name: =?base64?ZWNobw==\r\n"},
        Case{"EncodedNul", "Mcp-Name: =?base64?ZWNobwA=?=\r\n"}),
    [](const auto& info) { return info.param.name; });

// Two proxies may each believe another one of them: no body is read at all.
TEST(NameHeader, S07IsThereOnce) {
  for (const char* lines :
       {"Mcp-Name: echo\r\nMcp-Name: echo\r\n", "Mcp-Name: echo\r\nMCP-NAME: slow\r\n",
        "mcp-name: slow\r\nMcp-Name: =?base64?ZWNobw==?=\r\n"}) {
    const HttpReply reply = Echo(lines);
    EXPECT_EQ(reply.status, 400) << lines;
    EXPECT_THAT(reply.body, Not(HasSubstr("it ran")));
  }
}

}  // namespace
}  // namespace ducat::transport
