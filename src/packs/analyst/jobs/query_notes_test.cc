#include "packs/analyst/jobs/query_notes.h"

#include <gtest/gtest.h>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class QueryNotesTest : public JobsFixture {
 protected:
  void SetUp() override {
    JobsFixture::SetUp();
    MountSelect(
        "orders",
        "SELECT i AS id, i % 5 AS customer_id, ['paid', 'open', 'Void '][i % 3 + 1] AS status, "
        "CASE WHEN i % 4 = 0 THEN NULL ELSE i END AS amount, i * 2 AS total "
        "FROM range(20) t(i)");
    MountSelect("items", "SELECT i % 20 AS order_id, i AS line, i AS price FROM range(60) t(i)");
    MountSelect("customers", "SELECT i AS customer_id, 'c' || i AS name FROM range(5) t(i)");
  }
  std::vector<std::string> Notes(const std::string& sql) {
    auto counters = RunText("query", json::Encode(QueryIn{.sql = sql}));
    EXPECT_THAT(counters, testing::IsOk());
    json::Document document;
    auto view = document.Parse(counters.value_or("{}"));
    return json::Decode<QueryCounters>(*view).value_or(QueryCounters{}).notes;
  }
};

TEST_F(QueryNotesTest, LimitWithoutOrder) {
  const auto undefined = ElementsAre(HasSubstr("Without ORDER BY"));
  EXPECT_THAT(Notes("SELECT id FROM orders LIMIT 5"), undefined);
  EXPECT_THAT(Notes("SELECT id FROM orders LIMIT 20"), undefined);
  EXPECT_THAT(Notes("SELECT id FROM orders LIMIT 21"), IsEmpty());
  EXPECT_THAT(Notes("SELECT id FROM orders ORDER BY id LIMIT 5"), IsEmpty());
  EXPECT_THAT(Notes("SELECT count(*) FROM orders LIMIT 5"), IsEmpty());
  EXPECT_THAT(Notes("SELECT id FROM orders"), IsEmpty());
  EXPECT_THAT(Notes("SELECT * FROM (SELECT id FROM orders ORDER BY id) LIMIT 5"), IsEmpty());
}

TEST_F(QueryNotesTest, JoinsThatCountValuesTwice) {
  const auto fan_out = ElementsAre(
      "Join key items.order_id is not unique (up to 3 rows per key), so sum(orders.total) "
      "counts a value once per match.");
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o JOIN items i ON o.id = i.order_id"),
              fan_out);
  EXPECT_THAT(
      Notes("SELECT sum(total) / count(*) AS a FROM orders LEFT JOIN items ON order_id = id"),
      fan_out);
  // Values of the side whose partner is unique are counted once.
  EXPECT_THAT(Notes("SELECT sum(i.price) FROM orders o JOIN items i ON o.id = i.order_id"),
              IsEmpty());
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o JOIN customers c USING (customer_id)"),
              IsEmpty());
  EXPECT_THAT(Notes("SELECT sum(DISTINCT o.total) FROM orders o JOIN items i ON o.id = i.order_id"),
              IsEmpty());
  // Not certain: another condition may make the key unique.
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o JOIN items i ON o.id = i.order_id AND "
                    "i.line < 20"),
              IsEmpty());
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o JOIN items i ON o.id = i.order_id AND "
                    "o.total = i.line"),
              IsEmpty());
}

TEST_F(QueryNotesTest, FanOutOfACommaJoin) {
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o, items i WHERE o.id = i.order_id"),
              ElementsAre(HasSubstr("Join key items.order_id is not unique")));
  EXPECT_THAT(
      Notes("SELECT sum(o.total) FROM orders o, items i WHERE o.id = i.order_id AND o.total > 0"),
      ElementsAre(HasSubstr("Join key items.order_id is not unique")));
  // Not certain.
  EXPECT_THAT(
      Notes("SELECT sum(o.total) FROM orders o, items i WHERE o.id = i.order_id AND i.line < 20"),
      IsEmpty());
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o, items i WHERE o.id = i.order_id AND "
                    "o.total > i.line"),
              IsEmpty());
  EXPECT_THAT(Notes("SELECT sum(o.total) FROM orders o, items i"), IsEmpty());
}

TEST_F(QueryNotesTest, AggregatesOverNulls) {
  EXPECT_THAT(Notes("SELECT avg(amount) FROM orders"),
              ElementsAre("25 % of orders.amount is NULL; avg leaves those rows out."));
  EXPECT_THAT(Notes("SELECT avg(amount), max(amount), sum(total) FROM orders"),
              ElementsAre(HasSubstr("orders.amount")));
  EXPECT_THAT(Notes("SELECT count(amount) FROM orders"), IsEmpty());
}

TEST_F(QueryNotesTest, NoRowsAndANearValue) {
  EXPECT_THAT(Notes("SELECT id FROM orders WHERE status = 'PAID'"),
              ElementsAre("No row of orders has status = 'PAID'; near values: 'paid'."));
  EXPECT_THAT(Notes("SELECT id FROM orders o WHERE 'void' = o.status AND id > 3"),
              ElementsAre(HasSubstr("near values: 'Void '.")));
  EXPECT_THAT(Notes("SELECT id FROM orders WHERE status = 'payd'"),
              ElementsAre(HasSubstr("'paid'")));
  EXPECT_THAT(Notes("SELECT id FROM orders WHERE status = 'something else'"), IsEmpty());
  // The value exists: another condition is the reason.
  EXPECT_THAT(Notes("SELECT id FROM orders WHERE status = 'paid' AND id > 100"), IsEmpty());
  // A CTE of that name is another table.
  EXPECT_THAT(Notes("WITH orders AS (SELECT 1 AS id, 'x' AS status) SELECT id FROM orders WHERE "
                    "status = 'PAID'"),
              IsEmpty());
}

TEST_F(QueryNotesTest, NothingIsReadAfterAnInterrupt) {
  interrupted_ = [] { return true; };
  EXPECT_THAT(Notes("SELECT avg(amount) FROM orders"), IsEmpty());
}

}  // namespace
}  // namespace ducat::analyst
