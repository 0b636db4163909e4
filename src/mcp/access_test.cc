// Who may use what, and how often, without a transport (protocol.md 8.2, 9).
#include <gmock/gmock.h>

#include "support/guarded_registry.h"
#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using std::chrono::milliseconds;
using testing::FillGuarded;
using ::testing::HasSubstr;
using testing::LegacyRequest;
using testing::McpFixture;
using testing::ModernRequest;
using ::testing::Not;

struct Guarded : McpFixture {
  explicit Guarded(Scopes granted, ServerOptions options = {})
      : McpFixture(std::move(options), &FillGuarded) {
    client->session().set_grant(std::make_shared<const Scopes>(std::move(granted)));
  }
};

struct Use {
  const char* method;
  const char* params;
};
constexpr std::array kUses{
    Use{"tools/call", R"("name":"locked")"}, Use{"resources/read", R"("uri":"x://locked")"},
    Use{"prompts/get", R"("name":"locked_prompt")"},
    Use{"completion/complete", R"("ref":{"type":"ref/prompt","name":"locked_prompt"},)"
                               R"("argument":{"name":"word","value":""})"},
    Use{"completion/complete", R"("ref":{"type":"ref/resource","uri":"x://{name}"},)"
                               R"("argument":{"name":"name","value":""})"}};

TEST(Access, WhatIsNotGrantedIsRefused) {
  Guarded fixture({"b:read"});
  for (const Use& use : kUses) {
    const std::string reply = fixture.Ask(ModernRequest("1", use.method, use.params));
    EXPECT_THAT(reply, HasSubstr(R"("code":-32600)")) << use.params;
    EXPECT_THAT(reply, HasSubstr("scopes that this needs: a:read")) << use.params;
  }
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/call", R"("name":"locked")")),
              HasSubstr("a:read b:write"));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/call", R"("name":"open")")), HasSubstr("done"));
}

TEST(Access, WhatIsGrantedIsServed) {
  for (Scopes granted : {Scopes{"a:read", "b:write"}, Scopes{"*"}, Scopes{"b:*", "a:*"}}) {
    Guarded fixture(std::move(granted));
    for (const Use& use : kUses) {
      EXPECT_THAT(fixture.Ask(ModernRequest("1", use.method, use.params)), HasSubstr("result"))
          << use.params;
    }
  }
  McpFixture no_authentication({}, &FillGuarded);
  for (const Use& use : kUses) {
    EXPECT_THAT(no_authentication.Ask(ModernRequest("1", use.method, use.params)),
                HasSubstr("result"));
  }
}

TEST(Access, UnknownThingsStayUnknown) {
  Guarded fixture({});
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/call", R"("name":"x")")),
              HasSubstr("Tool x not found"));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "resources/read", R"("uri":"y://")")),
              HasSubstr("not found"));
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "prompts/get", R"("name":"x")")),
              HasSubstr("Prompt x not found"));
}

TEST(Access, ListsShowWhatTheCallerMayUse) {
  Guarded nothing({});
  EXPECT_THAT(nothing.Ask(ModernRequest("1", "tools/list")), HasSubstr(R"("name":"open")"));
  EXPECT_THAT(nothing.Ask(ModernRequest("1", "tools/list")), Not(HasSubstr("locked")));
  EXPECT_THAT(nothing.Ask(ModernRequest("1", "tools/list")),
              HasSubstr(R"("cacheScope":"private")"));
  Guarded all({"*"});
  McpFixture open({}, &FillGuarded);
  for (const char* list :
       {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    EXPECT_THAT(nothing.Ask(ModernRequest("1", list)), Not(HasSubstr("locked"))) << list;
    EXPECT_THAT(all.Ask(ModernRequest("1", list)), HasSubstr("locked")) << list;
    EXPECT_THAT(open.Ask(ModernRequest("1", list)), HasSubstr(R"("cacheScope":"public")"));
  }
  EXPECT_THAT(all.Ask(ModernRequest("1", "server/discover")), HasSubstr("Use locked."));
  EXPECT_THAT(nothing.Ask(ModernRequest("1", "server/discover")), Not(HasSubstr("Use locked.")));
}

TEST(Access, APageIsFilledWithWhatTheCallerMayUse) {
  ServerOptions options;
  options.limits.page_size = 2;
  McpFixture fixture(std::move(options), [](Registry& registry) {
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
      const bool locked = name[0] % 2 == 0;  // b, d, f
      CHECK(registry.AddTool(testing::PlainTool(name, locked ? Scopes{"x"} : Scopes{})));
    }
  });
  fixture.client->session().set_grant(std::make_shared<const Scopes>());
  const std::string first = fixture.Ask(ModernRequest("1", "tools/list"));
  EXPECT_THAT(first, HasSubstr(R"("name":"a")"));
  EXPECT_THAT(first, HasSubstr(R"("name":"c")"));
  EXPECT_THAT(first, Not(HasSubstr(R"("name":"e")")));
  const std::string_view mark = R"("nextCursor":")";
  const size_t at = first.find(mark);
  ASSERT_NE(at, first.npos);
  const size_t begin = at + mark.size();
  const std::string cursor = first.substr(begin, first.find('"', begin) - begin);
  const std::string second =
      fixture.Ask(ModernRequest("2", "tools/list", "\"cursor\":\"" + cursor + "\""));
  EXPECT_THAT(second, HasSubstr(R"("name":"e")"));
  EXPECT_THAT(second, Not(HasSubstr(R"("name":"c")")));
  EXPECT_THAT(second, Not(HasSubstr(R"("name":"f")")));
}

TEST(Access, NobodySubscribesToWhatHeMayNotRead) {
  Guarded fixture({});
  const std::string acknowledged = fixture.Ask(ModernRequest(
      "1", "subscriptions/listen", R"("notifications":{"resourceSubscriptions":["x://locked"]})"));
  EXPECT_THAT(acknowledged, Not(HasSubstr("x://locked")));
  fixture.Handshake("2025-11-25");
  EXPECT_THAT(fixture.Ask(LegacyRequest("2", "resources/subscribe", R"("uri":"x://locked")")),
              HasSubstr("a:read"));
}

TEST(Access, CallsBeyondTheRateAreToolErrors) {
  Guarded fixture({"*"}, {.info = {}, .rate = {.per_second = 1, .burst = 2}});
  const std::string call = ModernRequest("1", "tools/call", R"("name":"open")");
  EXPECT_THAT(fixture.Ask(call), HasSubstr("done"));
  EXPECT_THAT(fixture.Ask(call), HasSubstr("done"));
  const std::string refused = fixture.Ask(call);
  EXPECT_THAT(refused, HasSubstr(R"("isError":true)"));
  EXPECT_THAT(refused, HasSubstr(R"("reason":"rate_limited")"));
  EXPECT_THAT(refused, HasSubstr(R"("retryAfter":1)"));
  EXPECT_THAT(refused, HasSubstr(R"("retryable":true)"));
  fixture.Advance(milliseconds(1'000));
  EXPECT_THAT(fixture.Ask(call), HasSubstr("done"));
}

TEST(Access, OtherRequestsBeyondTheRateAreRpcErrors) {
  Guarded fixture({"*"}, {.info = {}, .rate = {.per_second = 1, .burst = 1}});
  EXPECT_THAT(fixture.Ask(ModernRequest("1", "tools/list")), HasSubstr("result"));
  const std::string refused = fixture.Ask(ModernRequest("1", "tools/list"));
  EXPECT_THAT(refused, HasSubstr(R"("code":-31029)"));
  EXPECT_THAT(refused, HasSubstr(R"("retryAfter":1)"));
}

}  // namespace
}  // namespace ducat::mcp
