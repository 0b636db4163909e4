#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcp/server.h"
#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Call(McpFixture& fixture, std::string_view params) {
  return fixture.Ask(ModernRequest("1", "tools/call", params));
}

TEST(ToolsCall, RefusesWhatIsNoCall) {
  McpFixture fixture;
  for (const std::string& params :
       {std::string(), std::string(R"("name":5)"), std::string(R"("name":"")"),
        std::string(R"("name":"e\u0000cho")"), "\"name\":\"" + std::string(129, 'a') + "\"",
        std::string(R"("name":"echo","arguments":[])"),
        std::string(R"("name":"echo","arguments":"[]")"),
        std::string(R"("name":"echo","arguments":"{")"),
        std::string(R"("name":"echo","arguments":7)")}) {
    const std::string reply = Call(fixture, params);
    EXPECT_THAT(reply, HasSubstr("\"error\":{\"code\":-32602")) << params;
  }
}

TEST(ToolsCall, NamesToolsThatAreNear) {
  McpFixture fixture;
  EXPECT_THAT(Call(fixture, R"("name":"ehco")"),
              HasSubstr(R"("message":"Tool ehco not found","data":{"didYouMean":["echo"]})"));
  EXPECT_THAT(Call(fixture, R"("name":"zzzzzzzz")"), Not(HasSubstr("didYouMean")));
}

TEST(ToolsCall, RepairsAndRejectsArgumentsAsAToolError) {
  McpFixture fixture;
  EXPECT_THAT(Call(fixture, R"("name":"slow","arguments":{"ms":"0","_x":1})"),
              HasSubstr("Took 0 ms."));
  EXPECT_THAT(Call(fixture, R"("name":"count")"), HasSubstr("Took 3 ms."));
  EXPECT_THAT(Call(fixture, R"("name":"count","arguments":null)"), HasSubstr("Took 3 ms."));
  const std::string refused = Call(fixture, R"("name":"slow","arguments":{"ms":-1,"z":2})");
  EXPECT_THAT(refused, HasSubstr(R"("isError":true)"));
  EXPECT_THAT(refused, HasSubstr(R"("reason":"invalid_arguments")"));
  EXPECT_THAT(refused, HasSubstr("too_small"));
  EXPECT_THAT(refused, HasSubstr("unrecognized_keys"));
}

TEST(ToolsCall, LimitsTheResult) {
  ServerOptions options;
  options.limits.result_bytes_max = 1'000;
  McpFixture fixture(options);
  // The size of everything but the text itself, from a small result.
  const auto bytes_of = [&](size_t size) {
    return Call(fixture, R"("name":"big","arguments":{"bytes":)" + std::to_string(size) + "}");
  };
  size_t fits = 0;
  for (size_t size = 700; size < 1'000; ++size) {
    if (bytes_of(size).find("result_too_large") == std::string::npos) fits = size;
  }
  EXPECT_GT(fits, 700U);
  EXPECT_THAT(bytes_of(fits), HasSubstr(R"("structuredContent":{"message":"xxx)"));
  const std::string refused = bytes_of(fits + 1);
  EXPECT_THAT(refused, HasSubstr("The result has 1,001 bytes; at most 1,000 can be sent."));
  EXPECT_THAT(refused, HasSubstr(R"("retryable":false)"));
}

TEST(Names, AreReadUpToTheirLimit) {
  McpFixture fixture;
  const auto ask = [&fixture](std::string_view method, std::string_view key, size_t size) {
    return fixture.Ask(ModernRequest(
        "1", method, "\"" + std::string(key) + "\":\"" + std::string(size, 'a') + "\""));
  };
  EXPECT_THAT(ask("tools/call", "name", 128), HasSubstr("not found"));
  EXPECT_THAT(ask("tools/call", "name", 129), HasSubstr("is longer than 128 bytes"));
  EXPECT_THAT(ask("prompts/get", "name", 128), HasSubstr("not found"));
  EXPECT_THAT(ask("prompts/get", "name", 129), HasSubstr("is longer than 128 bytes"));
  EXPECT_THAT(ask("tools/list", "cursor", 512), HasSubstr("is not a cursor of this list"));
  EXPECT_THAT(ask("tools/list", "cursor", 513), HasSubstr("is longer than 512 bytes"));
}

TEST(ToolsCall, AllowsOneMebibyteByDefault) {
  McpFixture fixture;
  const std::string at = R"("name":"big","arguments":{"bytes":1048000})";
  EXPECT_THAT(Call(fixture, at), HasSubstr("structuredContent\":{\"message"));
  EXPECT_THAT(Call(fixture, R"("name":"big","arguments":{"bytes":1048577})"),
              HasSubstr("result_too_large"));
}

TEST(ToolsCall, CarriesNumbersExactly) {
  struct Number {
    int64_t value = 0;
    static constexpr auto Fields() {
      return std::array{json::Describe<&Number::value>("value", "A number.")};
    }
  };
  McpFixture fixture;
  ASSERT_TRUE(fixture.registry
                  .AddTool(MakeTool<Number, Number>(
                      {.name = "number", .title = "Number", .description = "Gives it back."},
                      [](Number in, CallContext&) -> Task<Number> { co_return in; },
                      [](const Number& out, Text& text) { text.Add(std::to_string(out.value)); }))
                  .has_value());
  for (const std::string digits : {"9007199254740993", "-9223372036854775808"}) {
    for (const std::string& sent : {digits, "\"" + digits + "\""}) {
      const std::string reply =
          Call(fixture, R"("name":"number","arguments":{"value":)" + sent + "}");
      EXPECT_THAT(reply, HasSubstr("\"structuredContent\":{\"value\":\"" + digits + "\"}"));
      EXPECT_THAT(reply, HasSubstr("\"text\":\"" + digits + "\""));
    }
  }
}

TEST(ToolsCall, HasNoSuccessWithoutStructuredContent) {
  McpFixture fixture;
  Tool tool;
  tool.info = {.name = "hollow", .title = "Hollow", .description = "Gives nothing."};
  tool.input = tool.output = fixture.registry.FindTool("fail")->input;
  tool.call = [](json::View, CallContext&) -> Task<Answer> { co_return Answer{}; };
  ASSERT_TRUE(fixture.registry.AddTool(std::move(tool)).has_value());
  EXPECT_THAT(Call(fixture, R"("name":"hollow")"), HasSubstr("internal_error"));
}

TEST(ResourcesRead, AnswersUnknownOnesByEra) {
  McpFixture fixture;
  EXPECT_THAT(
      fixture.Ask(ModernRequest("1", "resources/read", R"("uri":"other://x")")),
      HasSubstr(
          R"("code":-32602,"message":"Resource other://x not found","data":{"uri":"other://x")"));
  fixture.Handshake("2025-06-18");
  const std::string legacy =
      fixture.Ask(LegacyRequest("1", "resources/read", R"("uri":"test://item/none")"));
  EXPECT_THAT(legacy, HasSubstr(R"("code":-32002)"));
  EXPECT_THAT(legacy, HasSubstr(R"("recovery":{"hint":"Read test://note."})"));
}

TEST(ResourcesRead, LimitsTheUri) {
  McpFixture fixture;
  const auto read = [&](size_t bytes) {
    return fixture.Ask(ModernRequest(
        "1", "resources/read", "\"uri\":\"test://item/" + std::string(bytes - 12, 'a') + "\""));
  };
  EXPECT_THAT(read(2'048), HasSubstr("\"contents\""));
  EXPECT_THAT(read(2'049), HasSubstr("longer than 2048 bytes"));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "resources/read", R"("uri":"test://item/a\u0000")")),
              HasSubstr("U+0000"));
}

TEST(PromptsGet, ChecksItsArguments) {
  McpFixture fixture;
  const auto get = [&](std::string_view params) {
    return fixture.Ask(ModernRequest("1", "prompts/get", params));
  };
  EXPECT_THAT(get(R"("name":"review","arguments":{"topic":"x"})"), HasSubstr("Review x."));
  EXPECT_THAT(get(R"("name":"review","arguments":{"topic":5})"),
              HasSubstr("params.arguments.topic"));
  EXPECT_THAT(get(R"("name":"review","arguments":{"topic":"x","more":"y"})"),
              HasSubstr("has no argument more"));
  EXPECT_THAT(get(R"("name":"review","arguments":[])"), HasSubstr("-32602"));
  EXPECT_THAT(get(R"("name":"none")"), HasSubstr("Prompt none not found"));
}

}  // namespace
}  // namespace ducat::mcp
