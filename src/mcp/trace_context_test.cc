#include "mcp/trace_context.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

constexpr std::string_view kValid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(Traceparent, IsJudgedByTheW3cForm) {
  EXPECT_TRUE(IsTraceparent(kValid));
  EXPECT_TRUE(IsTraceparent("01" + std::string(kValid.substr(2)) + "-more"));
  for (const std::string_view text :
       {"", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01"}) {
    EXPECT_FALSE(IsTraceparent(text)) << text;
  }
}

TEST(TraceContext, DropsAStateWithoutAParentOrTooLong) {
  json::Document document;
  const auto read = [&](const std::string& meta) {
    return ReadTraceContext(*document.Parse(meta));
  };
  const std::string parent = "\"traceparent\":\"" + std::string(kValid) + "\"";
  EXPECT_EQ(read("{" + parent + R"(,"tracestate":"a=b"})").state, "a=b");
  EXPECT_EQ(read(R"({"traceparent":"x","tracestate":"a=b"})").state, "");
  EXPECT_EQ(read("{" + parent + ",\"tracestate\":\"" + std::string(512, 'a') + "\"}").state.size(),
            512U);
  EXPECT_EQ(read("{" + parent + ",\"tracestate\":\"" + std::string(513, 'a') + "\"}").state, "");
  EXPECT_EQ(read("{" + parent + R"(,"tracestate":5})").parent, kValid);
}

TEST(TraceContext, GoesIntoTheLog) {
  ducat::testing::McpFixture fixture;
  const std::string meta = "\"traceparent\":\"" + std::string(kValid) + "\"";
  static_cast<void>(
      fixture.Ask(ducat::testing::ModernRequest("1", "tools/call", R"("name":"fail")", meta)));
  EXPECT_THAT(
      fixture.log_lines,
      ::testing::Contains(::testing::HasSubstr("\"trace\":\"" + std::string(kValid) + "\"")));
}

}  // namespace
}  // namespace ducat::mcp
