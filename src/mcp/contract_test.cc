// What is sent fits what was promised: every result of every tool against the outputSchema of the
// era it was sent in and against the exact one (protocol.md 14.2).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/view.h"
#include "mcp/server.h"
#include "support/mcp_fixture.h"
#include "support/schema_check.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::ducat::testing::SchemaMismatch;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Era {
  Revision revision;
  std::string Ask(McpFixture& fixture, std::string_view method,
                  std::string_view params = "") const {
    if (IsModern(revision)) return fixture.Ask(ModernRequest("1", method, params));
    fixture.Handshake(Name(revision));
    return fixture.Ask(LegacyRequest("1", method, params));
  }
};

// A member of the tool in a tools/list reply, as JSON.
std::string OfTool(const std::string& list, std::string_view tool, std::string_view member) {
  json::Document document;
  std::string found;
  document.Parse(list)->Find("result")->Find("tools")->ForEachElement([&](json::View entry) {
    if (entry.Find("name")->AsString() != tool) return true;
    found = entry.Find(member)->ToJson();
    return false;
  });
  return found;
}

std::string StructuredOf(const std::string& reply) {
  json::Document document;
  return document.Parse(reply)->Find("result")->Find("structuredContent")->ToJson();
}

constexpr std::pair<std::string_view, std::string_view> kCalls[] = {
    {"echo", R"("arguments":{"message":"m"})"},
    {"echo", R"("arguments":{"mesage":"m"})"},
    {"slow", R"("arguments":{"ms":0})"},
    {"fail", ""},
    {"fail_bracketed", ""},
    {"throw", ""},
    {"count", ""},
    {"big", R"("arguments":{"bytes":2000000})"},
    {"touch", ""},
};

TEST(ToolContract, HoldsInEveryEraWithASchema) {
  McpFixture modern_fixture;
  const std::string modern_list = Era{kModern}.Ask(modern_fixture, "tools/list");
  for (const Revision revision : {Revision::k20250618, Revision::k20251125, kModern}) {
    const Era era{revision};
    for (const auto& [tool, arguments] : kCalls) {
      McpFixture fixture;
      const std::string list = era.Ask(fixture, "tools/list");
      std::string params = "\"name\":\"" + std::string(tool) + "\"";
      if (!arguments.empty()) params.append(",").append(arguments);
      const std::string structured = StructuredOf(era.Ask(fixture, "tools/call", params));
      for (const std::string& promised : {list, modern_list}) {
        EXPECT_THAT(SchemaMismatch(OfTool(promised, tool, "outputSchema"), structured), IsEmpty())
            << tool << " at " << Name(revision) << ": " << structured;
      }
    }
  }
}

TEST(ToolContract, TellsSuccessFromFailureInTheExactSchema) {
  McpFixture fixture;
  const std::string schema =
      OfTool(Era{kModern}.Ask(fixture, "tools/list"), "echo", "outputSchema");
  EXPECT_THAT(SchemaMismatch(schema, R"({"message":"m"})"), IsEmpty());
  for (const std::string_view wrong :
       {R"({})", R"({"message":5})", R"({"message":"m","more":1})", R"([])",
        R"({"error":{"code":"x","message":"m"}})", R"({"error":{"message":"m"}})"}) {
    EXPECT_THAT(SchemaMismatch(schema, wrong), Not(IsEmpty())) << wrong;
  }
}

TEST(ToolContract, HasNoCombinationAtTheRootOfLegacyOrInputSchemas) {
  for (const Revision revision : {Revision::k20250618, Revision::k20251125, kModern}) {
    McpFixture fixture;
    const std::string list = Era{revision}.Ask(fixture, "tools/list");
    for (const auto& [tool, unused] : kCalls) {
      json::Document document;
      const json::View input = *document.Parse(OfTool(list, tool, "inputSchema"));
      EXPECT_EQ(input.Find("type")->AsString(), "object");
      EXPECT_TRUE(input.Find("properties")->IsObject());
      json::Document output_document;
      const json::View output = *output_document.Parse(OfTool(list, tool, "outputSchema"));
      EXPECT_EQ(output.Find("type")->AsString(), "object");
      for (const std::string_view keyword : {"anyOf", "oneOf", "allOf", "not", "if", "$ref"}) {
        EXPECT_FALSE(input.Find(keyword)) << tool << " " << keyword;
        if (!IsModern(revision)) EXPECT_FALSE(output.Find(keyword)) << tool << " " << keyword;
      }
      if (!IsModern(revision)) EXPECT_FALSE(output.Find("required")) << tool;
    }
  }
}

TEST(SchemaCheck, IsNoOracleThatSaysYesToEverything) {
  EXPECT_THAT(SchemaMismatch(R"({"type":"integer","minimum":2})", "1"), HasSubstr("too small"));
  EXPECT_THAT(SchemaMismatch(R"({"type":"integer"})", "1.5"), HasSubstr("is no integer"));
  EXPECT_THAT(SchemaMismatch(R"({"type":"array","items":{"type":"string"}})", R"(["a",1])"),
              HasSubstr("$[1]"));
  EXPECT_THAT(SchemaMismatch(R"({"enum":["a"]})", R"("b")"), HasSubstr("none of"));
  EXPECT_THAT(SchemaMismatch(R"({"surprise":1})", "1"), HasSubstr("unknown keyword"));
  EXPECT_THAT(SchemaMismatch(R"({"anyOf":[{"type":"null"},{"type":"string"}]})", "null"),
              IsEmpty());
}

}  // namespace
}  // namespace ducat::mcp
