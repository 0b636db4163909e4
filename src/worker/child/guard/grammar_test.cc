#include "worker/child/guard/grammar.h"

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/guard/parsed_sql.h"
#include "worker/child/guard/walk.h"

namespace ducat::guard {
namespace {

TEST(Grammar, LacksWhatMustNeverRun) {
  for (const char* name : {"COLUMN_DATA", "BOUND_TABLE_REF", "DELIM_GET"}) {
    EXPECT_EQ(FindNode(NodePlace::kTable, name), nullptr) << name;
  }
  for (const char* name : {"DEFAULT", "BOUND_REF", "BOUND_FUNCTION"}) {
    EXPECT_EQ(FindNode(NodePlace::kExpression, name), nullptr) << name;
  }
  for (const char* name : {"INSERT_QUERY_NODE", "UPDATE_QUERY_NODE", "DELETE_QUERY_NODE"}) {
    EXPECT_EQ(FindNode(NodePlace::kQuery, name), nullptr) << name;
  }
}

class TreeShape : public engine::EngineFixture {
 protected:
  // The code for the tree of `sql` after one change of its JSON; "ok" when it passes.
  std::string CodeOf(std::string_view sql, std::string_view from, std::string_view to) {
    std::string json = connection().SerializeSql(sql).value_or("");
    const size_t at = json.find(from);
    if (at == std::string::npos) return "not in the tree";
    json.replace(at, from.size(), to);
    const ParsedSql parsed = ReadSerialized(json);
    if (parsed.outcome != ParseOutcome::kTree) return "no tree";
    const TokenList tokens = Tokenize(sql);
    const SizeLimits limits;
    const WalkResult walked =
        WalkTree(parsed.statement, {.tokens = tokens, .catalog = catalog_, .limits = limits});
    return walked.findings.empty() ? "ok" : walked.findings.first().code;
  }

  worker::child::MountedCatalog catalog_;
};

TEST_F(TreeShape, RefusesUnknownFieldsThatHoldSomething) {
  EXPECT_EQ(CodeOf("SELECT 1", "\"qualify\":null", "\"qualify\":null,\"new\":null"), "ok");
  EXPECT_EQ(CodeOf("SELECT 1", "\"qualify\":null", "\"qualify\":null,\"new\":1"), "ok");
  EXPECT_EQ(CodeOf("SELECT 1", "\"qualify\":null", "\"qualify\":null,\"new\":{}"),
            "unsupported_syntax");
  EXPECT_EQ(CodeOf("SELECT 1", "\"qualify\":null", "\"qualify\":null,\"new\":[]"),
            "unsupported_syntax");
}

TEST_F(TreeShape, RefusesUnknownNodesAndWrongKinds) {
  EXPECT_EQ(CodeOf("SELECT 1", "\"CONSTANT\"", "\"BOUND_CONSTANT\""), "unsupported_syntax");
  EXPECT_EQ(CodeOf("SELECT 1", "\"SELECT_NODE\"", "\"INSERT_QUERY_NODE\""), "unsupported_syntax");
  EXPECT_EQ(CodeOf("SELECT 1", "\"EMPTY\"", "\"COLUMN_DATA\""), "unsupported_syntax");
  EXPECT_EQ(CodeOf("SELECT 1", "\"qualify\":null", "\"qualify\":[]"), "unsupported_syntax");
  EXPECT_EQ(CodeOf("SELECT 1", "\"is_null\":false", "\"is_null\":{}"), "unsupported_syntax");
}

}  // namespace
}  // namespace ducat::guard
