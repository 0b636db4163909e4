// Facts about the engine on which the guard rests (guard.md 2), with the guard off: when one of
// them changes, the guard has to be looked at again.

#include <string>

#include <gtest/gtest.h>

#include "corpus_fixture.h"
#include "support/result_matchers.h"

namespace ducat::corpus {
namespace {

class EngineFacts : public ::testing::Test {
 protected:
  void SetUp() override {
    auto built = Fixture::Build({});
    ASSERT_THAT(built, testing::IsOk());
    fixture_ = *std::move(built);
  }

  engine::Connection& connection() { return fixture_->connection(); }
  std::string Serialized(std::string_view sql) {
    return connection().SerializeSql(sql).value_or("(failed)");
  }
  // The error of a statement, or an empty one.
  engine::EngineError ErrorOf(std::string_view sql) {
    auto rows = connection().Run(sql);
    if (!rows.has_value()) return rows.error();
    auto table = rows->AllText();
    return table.has_value() ? engine::EngineError{} : table.error();
  }
  size_t RowCount(std::string_view sql) {
    auto rows = connection().Run(sql);
    if (!rows.has_value()) return SIZE_MAX;
    const auto table = rows->AllText();
    return table.has_value() ? table->size() : SIZE_MAX;
  }

  std::unique_ptr<Fixture> fixture_;
};

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// F7: the setting is locked, the function changes the parser all the same.
TEST_F(EngineFacts, PegParserFunctionIgnoresTheLock) {
  EXPECT_FALSE(ErrorOf("SET threads = 3").message.empty());
  EXPECT_TRUE(ErrorOf("SELECT * FROM enable_peg_parser()").message.empty());
}

// F9: globs of the engine match hidden files, so globs are expanded by the guard.
TEST_F(EngineFacts, GlobsMatchHiddenFiles) {
  const std::string data = fixture_->data_dir();
  EXPECT_EQ(RowCount("SELECT filename FROM read_text('" + data + "/[.]env')"), 1U);
  EXPECT_EQ(RowCount("SELECT filename FROM read_text('" + data + "/?env')"), 1U);
}

// F12: the lock does not stop statements that change things; only SELECT trees may pass.
TEST_F(EngineFacts, LockStopsNeitherMacrosNorPragmas) {
  EXPECT_TRUE(ErrorOf("CREATE MACRO sum(x) AS 42").message.empty());
  EXPECT_TRUE(ErrorOf("PRAGMA disable_optimizer").message.empty());
  EXPECT_TRUE(ErrorOf("SET VARIABLE p = 'x'").message.empty());
}

// F14: an unknown name reaches the file reader.
TEST_F(EngineFacts, UnknownTableNamesAreTriedAsFiles) {
  const std::string data = fixture_->data_dir();
  EXPECT_EQ(RowCount("SELECT id FROM \"" + data + "/orders.csv\""), 4U);
}

// F15: what json_serialize_sql does with text that is no plain SELECT.
TEST_F(EngineFacts, SerializingRunsNothingAndRefusesStatements) {
  EXPECT_TRUE(Has(Serialized("PRAGMA enable_profiling"), "Only SELECT statements"));
  EXPECT_TRUE(Has(Serialized("EXPLAIN SELECT 1"), "Only SELECT statements"));
  EXPECT_TRUE(Has(Serialized("PIVOT orders ON status USING sum(amount)"), "Only SELECT"));
  EXPECT_TRUE(Has(Serialized("DESCRIBE orders"), "SHOW_REF"));
  EXPECT_TRUE(Has(Serialized("UNPIVOT trade ON import INTO NAME k VALUE v"), "\"PIVOT\""));
  EXPECT_TRUE(Has(Serialized("DELETE FROM orders"), "Only SELECT statements"));
}

// F16: syntax errors count characters, everything else bytes.
TEST_F(EngineFacts, ParserCountsCharactersAndBinderBytes) {
  EXPECT_TRUE(Has(Serialized("SELECT 'ä' FROM FROM x"), "\"position\":\"16\""));
  EXPECT_EQ(ErrorOf("SELECT 'ä', nope FROM orders").position, 13U);
}

// F18: the wrapper keeps the order, survives a trailing comment, and renames duplicate columns.
TEST_F(EngineFacts, WrapperKeepsOrderAndNames) {
  auto rows = connection().Run(
      "SELECT * FROM (\nSELECT id AS a, id AS a, id AS A FROM orders ORDER BY id DESC -- x\n) AS "
      "_q LIMIT 2");
  ASSERT_TRUE(rows.has_value());
  ASSERT_EQ(rows->columns().size(), 3U);
  EXPECT_EQ(rows->columns()[1].name, "a_1");
  EXPECT_EQ(rows->columns()[2].name, "A_2");
  const auto table = rows->AllText();
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->size(), 2U);
  EXPECT_EQ((*table)[0][0], "4");
}

}  // namespace
}  // namespace ducat::corpus
