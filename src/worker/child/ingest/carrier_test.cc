// Every type of the engine survives the way through a table file (analyst.md 3.6).
#include <string>

#include <gmock/gmock.h>

#include "worker/child/ingest/ingest_fixture.h"
#include "worker/child/ingest/table_file.h"

namespace ducat::ingest {
namespace {

using engine::QuoteIdentifier;

class CarrierTest : public IngestFixture {
 protected:
  // Writes `select`, mounts the file as view `back`, and gives the columns.
  std::vector<worker::CatalogColumn> RoundTrip(const std::string& select) {
    auto file = WriteTable(connection(), select, private_dir().string());
    if (!file.has_value()) {
      ADD_FAILURE() << file.error().message;
      return {};
    }
    auto mount = MountSql(
        {.name = "back", .file = (private_dir() / kStagedName).string(), .columns = file->columns},
        connection());
    EXPECT_TRUE(mount.has_value());
    auto view = connection().Run("CREATE OR REPLACE TEMP VIEW back AS " + *mount);
    EXPECT_TRUE(view.has_value()) << view.error().message;
    return file->columns;
  }

  // Rows of the two that differ in a column, in order, NULL equal to NULL.
  std::string Differences(const std::string& original, const std::string& column) {
    return OneText("SELECT count(*)::VARCHAR FROM (" + original +
                   ") a POSITIONAL JOIN back b WHERE a." + column + " IS DISTINCT FROM b." +
                   column + " OR typeof(a." + column + ") <> typeof(b." + column + ")");
  }
};

TEST_F(CarrierTest, EveryTypeReturns) {
  const std::string original = "SELECT * FROM test_all_types()";
  const std::vector<worker::CatalogColumn> columns = RoundTrip(original);
  ASSERT_GT(columns.size(), 50U);
  for (const worker::CatalogColumn& column : columns) {
    EXPECT_EQ(Differences(original, QuoteIdentifier(column.name)), "0")
        << column.name << " " << column.type.substr(0, 60) << " as " << column.carrier;
  }
}

TEST_F(CarrierTest, FileHoldsTheCarriersThatTheColumnsName) {
  for (const worker::CatalogColumn& column : RoundTrip("SELECT * FROM test_all_types()")) {
    const std::string file = engine::QuotePath((private_dir() / kStagedName).string());
    const std::string stored = OneText("SELECT any_value(typeof(" + QuoteIdentifier(column.name) +
                                       ")) FROM read_parquet(" + file + ")");
    const std::string wanted = column.carrier.empty() ? column.type : column.carrier;
    EXPECT_EQ(stored, OneText("SELECT typeof(CAST(NULL AS " + wanted + "))")) << column.name;
  }
}

TEST_F(CarrierTest, NestedTypesReturn) {
  const std::string original =
      // Ordered: the engine may give the rows of a UNION ALL in either order.
      "SELECT * EXCLUDE (n) FROM (SELECT 1 AS n,"
      " {'h': 1::HUGEINT, 'i': INTERVAL '-1 month 2 days -3.5 seconds'} AS s,"
      " [1::UHUGEINT, NULL] AS l, MAP {'k': INTERVAL '5 ms'} AS m,"
      " [{'u': union_value(name := 'x')::UNION(name VARCHAR, i INTERVAL)}] AS lu,"
      " MAP {1::HUGEINT: ['1010'::BIT]} AS mb, row(1, 'x') AS r,"
      " [[INTERVAL '1 day'], NULL, []] AS ll, array_value(INTERVAL '1 day', INTERVAL '2 days') AS "
      "ai,"
      " union_value(\"tag\" := 7::HUGEINT) AS ut, '\"a\"'::JSON AS j, ['1'::JSON] AS jl"
      " UNION ALL SELECT 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)"
      " ORDER BY n";
  for (const worker::CatalogColumn& column : RoundTrip(original)) {
    EXPECT_EQ(Differences(original, QuoteIdentifier(column.name)), "0")
        << column.name << " " << column.type << " as " << column.carrier;
  }
}

TEST_F(CarrierTest, ATypeWithoutASpellingIsRefusedWhenItNeedsACarrier) {
  auto file = WriteTable(connection(), "SELECT row(1::HUGEINT, 'x') AS r", private_dir().string());
  ASSERT_FALSE(file.has_value());
  EXPECT_THAT(file.error().message, ::testing::HasSubstr("name the fields"));
}

TEST_F(CarrierTest, ExtremesReturn) {
  const std::string original =
      "SELECT unnest([to_microseconds(-9223372036854775807), to_days(-2147483647),"
      " to_months(-2147483647), to_months(5) + to_microseconds(-1)]) AS i,"
      " unnest(['infinity'::TIMESTAMP_S, '-infinity'::TIMESTAMP_S, '1969-12-31'::TIMESTAMP_S, "
      "NULL])"
      " AS ts, unnest(['-0.0'::DOUBLE, 'nan', 'inf', '-inf']) AS d,"
      " unnest(['infinity'::DATE, '-infinity'::DATE, '0001-01-01 (BC)'::DATE, NULL]) AS dt,"
      " unnest(['12:00:00+15:59:59'::TIMETZ, '00:00:00-15:59:59'::TIMETZ, '24:00:00+00'::TIMETZ,"
      " NULL]) AS tz";
  for (const worker::CatalogColumn& column : RoundTrip(original)) {
    EXPECT_EQ(Differences(original, column.name), "0") << column.name;
  }
}

TEST_F(CarrierTest, NothingIsCarriedThatNeedNot) {
  for (const worker::CatalogColumn& column :
       RoundTrip("SELECT 1 AS a, 'x' AS b, [1] AS c, {'d': DATE '2024-01-01'} AS d, 1.5 AS e")) {
    EXPECT_EQ(column.carrier, "") << column.name;
  }
}

TEST_F(CarrierTest, AFailedWriteLeavesNoFile) {
  auto file = WriteTable(connection(), "SELECT CAST(range || 'x' AS BIGINT) AS a FROM range(3)",
                         private_dir().string());
  EXPECT_FALSE(file.has_value());
  EXPECT_FALSE(std::filesystem::exists(private_dir() / kStagedName));
}

}  // namespace
}  // namespace ducat::ingest
