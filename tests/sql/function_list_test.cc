// functions.tsv against the pinned engine: every function has its line and every line its function.

#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "corpus_fixture.h"
#include "support/result_matchers.h"
#include "worker/child/guard/functions.h"

namespace ducat::corpus {
namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

TEST(FunctionList, IsThatOfTheEngine) {
  auto fixture = Fixture::Build({});
  ASSERT_THAT(fixture, testing::IsOk());
  auto rows = (*fixture)->connection().Run(
      "SELECT DISTINCT function_type, function_name FROM duckdb_functions()");
  ASSERT_TRUE(rows.has_value());
  const auto table = rows->AllText();
  ASSERT_TRUE(table.has_value());
  Pairs engine, listed;
  for (const auto& row : *table)
    engine.emplace(row[0].value_or(""), row[1].value_or(""));
  for (const guard::FunctionLine& line : guard::AllFunctions()) {
    if (line.kind == "syntax") continue;
    EXPECT_TRUE(listed.emplace(line.kind, line.name).second) << line.name << " is listed twice";
  }
  for (const auto& [kind, name] : engine) {
    EXPECT_TRUE(listed.contains({kind, name})) << "functions.tsv lacks " << kind << " " << name;
  }
  for (const auto& [kind, name] : listed) {
    EXPECT_TRUE(engine.contains({kind, name})) << "the engine lacks " << kind << " " << name;
  }
}

// Names that only the parser knows: the engine must have them, though not in its list.
TEST(FunctionList, SyntaxLinesExist) {
  auto fixture = Fixture::Build({});
  ASSERT_THAT(fixture, testing::IsOk());
  for (const guard::FunctionLine& line : guard::AllFunctions()) {
    if (line.kind != "syntax") continue;
    const auto prepared =
        (*fixture)->connection().Prepare("SELECT " + std::string(line.name) + "([1])");
    EXPECT_TRUE(prepared.has_value()) << line.name;
  }
}

TEST(FunctionList, EveryLineHasAReason) {
  for (const guard::FunctionLine& line : guard::AllFunctions()) {
    EXPECT_FALSE(line.reason.empty()) << line.name;
  }
}

TEST(FunctionList, PragmasAndUnknownKindsNeverRun) {
  for (const guard::FunctionLine& line : guard::AllFunctions()) {
    if (line.kind == "pragma") {
      EXPECT_FALSE(line.allowed) << line.name;
    }
  }
}

}  // namespace
}  // namespace ducat::corpus
