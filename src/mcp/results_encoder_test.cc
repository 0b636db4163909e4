// Walks the table of protocol.md 5.3: nothing newer reaches an older client, nothing is missing in
// a newer one.
#include "mcp/results_encoder.h"

#include <functional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Revision kOldest = Revision::k20241105;

// The reply to one request at one revision, from a whole server.
std::string ReplyAt(Revision revision, std::string_view method, std::string_view params) {
  ServerOptions options;
  options.info.website_url = "https://example.org/ducat";
  McpFixture fixture(std::move(options));
  if (IsModern(revision)) return fixture.Ask(ModernRequest("1", method, params));
  fixture.Handshake(Name(revision));
  return fixture.Ask(LegacyRequest("1", method, params));
}

std::string InitializeAt(Revision revision) {
  ServerOptions options;
  options.info.website_url = "https://example.org/ducat";
  McpFixture fixture(std::move(options));
  if (IsModern(revision)) return fixture.Ask(ModernRequest("1", "server/discover"));
  return fixture.Ask(LegacyRequest("1", "initialize",
                                   "\"protocolVersion\":\"" + std::string(Name(revision)) + "\""));
}

struct Row {
  std::string name;
  std::string member;  // how it looks on the wire
  Revision from;
  std::function<std::string(Revision)> reply;
};

std::function<std::string(Revision)> Calling(std::string method, std::string params = "") {
  return [method = std::move(method), params = std::move(params)](Revision revision) {
    return ReplyAt(revision, method, params);
  };
}

std::vector<Row> Table() {
  const auto echo = Calling("tools/call", R"("name":"echo","arguments":{"message":"m"})");
  const auto fail = Calling("tools/call", R"("name":"fail")");
  const auto tools = Calling("tools/list");
  const auto read = Calling("resources/read", R"("uri":"test://note")");
  const auto progress = [](Revision revision) {
    McpFixture fixture;
    const std::string call = R"("name":"count","arguments":{"steps":1})";
    if (IsModern(revision)) {
      return fixture.Ask(ModernRequest("1", "tools/call", call, R"("progressToken":1)"));
    }
    fixture.Handshake(Name(revision));
    return fixture.Ask(LegacyRequest("1", "tools/call", call + R"(,"_meta":{"progressToken":1})"));
  };
  return {
      {"resultType", R"("resultType":"complete")", kModern, echo},
      {"resultType on errors", R"("resultType":"complete")", kModern, fail},
      {"ttlMs on lists", R"("ttlMs":300000)", kModern, tools},
      {"cacheScope on lists", R"("cacheScope":"public")", kModern, tools},
      {"ttlMs on prompts", R"("ttlMs":300000)", kModern, Calling("prompts/list")},
      {"ttlMs on resources", R"("ttlMs":300000)", kModern, Calling("resources/list")},
      {"ttlMs on templates", R"("ttlMs":300000)", kModern, Calling("resources/templates/list")},
      {"ttlMs on read", R"("ttlMs":60000)", kModern, read},
      {"ttlMs on discover", R"("ttlMs":3600000)", kModern, InitializeAt},
      {"serverInfo in _meta", R"("_meta":{"io.modelcontextprotocol/serverInfo":{)", kModern, read},
      {"exact outputSchema", R"("anyOf":[{"not":{"required":["error"]})", kModern, tools},
      {"serverInfo.description", R"("description":"Exact)", Revision::k20251125, InitializeAt},
      {"serverInfo.websiteUrl", R"("websiteUrl":")", Revision::k20251125, InitializeAt},
      {"serverInfo.title", R"("title":"Ducat")", Revision::k20250618, InitializeAt},
      {"title of tools", R"("title":"Echo")", Revision::k20250618, tools},
      {"title of prompts", R"("title":"Review")", Revision::k20250618, Calling("prompts/list")},
      {"title of arguments", R"("title":"Topic")", Revision::k20250618, Calling("prompts/list")},
      {"title of resources", R"("title":"Note")", Revision::k20250618, Calling("resources/list")},
      {"title of templates", R"("title":"Item")", Revision::k20250618,
       Calling("resources/templates/list")},
      {"outputSchema", R"("outputSchema":{"type":"object")", Revision::k20250618, tools},
      {"structuredContent", R"("structuredContent":{"message":"m"})", Revision::k20250618, echo},
      {"structuredContent of errors", R"("structuredContent":{"error":{)", Revision::k20250618,
       fail},
      {"annotations", R"("annotations":{"readOnlyHint":true)", Revision::k20250326, tools},
      {"completions capability", R"("completions":{})", Revision::k20250326, InitializeAt},
      {"progress message", R"("message":"counting")", Revision::k20250326, progress},
      {"text", R"("text":"Echo: m")", kOldest, echo},
      {"isError", R"("isError":true)", kOldest, fail},
      {"inputSchema", R"("inputSchema":{)", kOldest, tools},
      {"tools capability", R"("tools":{"listChanged":true})", kOldest, InitializeAt},
      {"logging capability", R"("logging":{})", kOldest, InitializeAt},
      {"instructions", R"("instructions":"Use echo first.")", kOldest, InitializeAt},
  };
}

TEST(RevisionTable, HoldsInBothDirections) {
  for (const Row& row : Table()) {
    for (size_t i = 0; i < kRevisionCount; ++i) {
      const auto revision = static_cast<Revision>(i);
      const std::string reply = row.reply(revision);
      if (revision >= row.from) {
        EXPECT_THAT(reply, HasSubstr(row.member))
            << row.name << " is missing at " << Name(revision);
      } else {
        EXPECT_THAT(reply, Not(HasSubstr(row.member)))
            << row.name << " leaks at " << Name(revision);
      }
    }
  }
}

TEST(RevisionTable, LeavesNoModernNameInAnyLegacyReply) {
  const std::pair<std::string, std::string> requests[] = {
      {"tools/list", ""},
      {"prompts/list", ""},
      {"resources/list", ""},
      {"resources/templates/list", ""},
      {"tools/call", R"("name":"echo","arguments":{"message":"m"})"},
      {"tools/call", R"("name":"fail")"},
      {"tools/call", R"("name":"none")"},
      {"resources/read", R"("uri":"test://note")"},
      {"resources/read", R"("uri":"test://item/none")"},
      {"prompts/get", R"("name":"review","arguments":{"topic":"t"})"},
      {"completion/complete",
       R"("ref":{"type":"ref/prompt","name":"review"},"argument":{"name":"topic","value":""})"},
      {"ping", ""}};
  for (size_t i = 0; i + 1 < kRevisionCount; ++i) {
    for (const auto& [method, params] : requests) {
      const std::string reply = ReplyAt(static_cast<Revision>(i), method, params);
      for (const std::string_view name :
           {"resultType", "ttlMs", "cacheScope", "_meta", "anyOf", "input_required", "icons"}) {
        EXPECT_THAT(reply, Not(HasSubstr(name))) << method << " " << kRevisionNames[i];
      }
    }
  }
}

TEST(AppendToolAnswer, HasThreeForms) {
  Answer answer{.structured = R"({"a":"b"})", .text = {}};
  answer.text.Line("").Line("First \"line\"").Add("second").Notice("n1").Notice("n2");
  const auto encode = [&](TextForm form) {
    std::string out;
    json::JsonWriter writer(out);
    writer.BeginObject();
    AppendToolAnswer(answer, form, kOldest, writer);
    writer.EndObject();
    return out;
  };
  const std::string notices = R"(,{"type":"text","text":"\n\n> n1\n\n> n2"}]})";
  EXPECT_EQ(encode(TextForm::kFull),
            R"({"content":[{"type":"text","text":"\nFirst \"line\"\nsecond"})" + notices);
  EXPECT_EQ(encode(TextForm::kBrief),
            R"({"content":[{"type":"text","text":"First \"line\""})" + notices);
  EXPECT_EQ(encode(TextForm::kJson),
            R"({"content":[{"type":"text","text":"{\"a\":\"b\"}"})" + notices);
}

}  // namespace
}  // namespace ducat::mcp
