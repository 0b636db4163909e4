#include "packs/analyst/jobs/statement_facts.h"

#include <gtest/gtest.h>

#include "worker/child/engine/engine_fixture.h"

namespace ducat::analyst {
namespace {

class StatementFactsTest : public engine::EngineFixture {
 protected:
  std::optional<StatementFacts> Facts(const std::string& sql) {
    auto tree = connection().SerializeSql(sql);
    EXPECT_TRUE(tree.has_value());
    return FactsOf(*tree);
  }
};

TEST_F(StatementFactsTest, ReadsTablesKeysAggregatesFilters) {
  const auto facts = Facts(
      "SELECT c.city, sum(o.amount) / count(*), Avg(x) FROM orders o JOIN customers AS c "
      "ON o.customer_id = c.id AND c.k = o.k WHERE o.status = 'paid' AND 'b' = city AND n = 1 "
      "ORDER BY 1 LIMIT 10");
  ASSERT_TRUE(facts.has_value());
  EXPECT_TRUE(facts->has_order);
  EXPECT_EQ(facts->limit, 10U);
  ASSERT_EQ(facts->tables.size(), 2U);
  EXPECT_EQ(facts->tables[0].name, "orders");
  EXPECT_EQ(facts->tables[1].alias, "c");
  ASSERT_EQ(facts->keys.size(), 2U);
  EXPECT_EQ(facts->keys[1].left.qualifier, "c");
  ASSERT_EQ(facts->aggregates.size(), 2U);
  EXPECT_EQ(facts->aggregates[0].function, "sum");
  EXPECT_EQ(facts->aggregates[0].column.qualifier, "o");
  EXPECT_EQ(facts->aggregates[1].function, "avg");
  EXPECT_EQ(facts->aggregates[1].column.name, "x");
  ASSERT_EQ(facts->text_filters.size(), 2U);
  EXPECT_EQ(facts->text_filters[0].value, "paid");
  EXPECT_EQ(facts->text_filters[1].column.name, "city");
}

TEST_F(StatementFactsTest, UsingJoinsAndNonEqualities) {
  EXPECT_EQ(Facts("SELECT 1 FROM a JOIN b USING (k, l)")->keys.size(), 2U);
  EXPECT_TRUE(Facts("SELECT 1 FROM a JOIN b ON a.k < b.k")->keys.empty());
  EXPECT_TRUE(Facts("SELECT 1 FROM a JOIN b ON a.k = b.k OR a.l = b.l")->keys.empty());
  EXPECT_TRUE(Facts("SELECT 1 FROM a JOIN b ON a.k = 1")->keys.empty());
  EXPECT_TRUE(Facts("SELECT 1 FROM a ASOF JOIN b ON a.k = b.k AND a.t >= b.t")->keys.empty());
  EXPECT_TRUE(Facts("SELECT 1 FROM a JOIN b USING (k) JOIN c USING (k)")->keys.empty());
}

TEST_F(StatementFactsTest, OnlyPlainSelectsHaveFacts) {
  for (const char* sql :
       {"SELECT 1", "SELECT 1 FROM a UNION SELECT 2 FROM b", "SELECT * FROM (SELECT 1) t",
        "WITH a AS (SELECT 1) SELECT * FROM a", "SELECT * FROM range(3)", "DESCRIBE a",
        "SELECT * FROM s.a", "VALUES (1)", "SELEC 1", "SELECT * FROM a, (SELECT 1) t"}) {
    EXPECT_FALSE(Facts(sql).has_value()) << sql;
  }
  EXPECT_FALSE(FactsOf("no JSON").has_value());
  EXPECT_TRUE(Facts("SELECT * FROM a, b")->keys.empty());
}

TEST_F(StatementFactsTest, AggregatesOfSubqueriesAreNotOurs) {
  EXPECT_TRUE(Facts("SELECT (SELECT max(x) FROM b) FROM a")->aggregates.empty());
  EXPECT_TRUE(Facts("SELECT sum(x + 1), sum(DISTINCT x) FROM a")->aggregates.empty());
  EXPECT_TRUE(Facts("SELECT x FROM a LIMIT $1")->limit == std::nullopt);
}

}  // namespace
}  // namespace ducat::analyst
