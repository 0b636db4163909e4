// Every type's JSON form (analyst.md 7, canvas.md 8), against a real engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/view.h"
#include "worker/child/engine/engine_fixture.h"
#include "worker/child/rows/result_writer.h"
#include "worker/child/rows/string_output.h"

namespace ducat::rows {
namespace {

using engine::NamedParameters;
using engine::Parameter;
using worker::child::StringOutput;

class ValuesTest : public engine::EngineFixture {
 protected:
  // The rows of a statement as one JSON text without the outer brackets.
  std::string Json(const std::string& sql, const ValueStyle& style = kAnalystStyle) {
    auto rows = connection().RunReadable(sql);
    if (!rows.has_value()) return "(error) " + rows.error().message;
    std::vector<std::string> names(rows->columns().size(), "c");
    StringOutput output;
    const ResultLimits limits{
        .rows_max = 100'000, .bytes_max = 100'000'000, .cell_characters_max = 1'000'000};
    auto summary = WriteResult(*rows, names, limits, style, output);
    return summary.has_value() ? output.rows : "(error) " + summary.error().engine.message;
  }
};

TEST_F(ValuesTest, IntegersBeyond53BitsAreStrings) {
  EXPECT_EQ(
      Json("SELECT 9007199254740991 a, 9007199254740992 b, sum(x) s FROM (VALUES (1),(2)) t(x)"),
      R"([9007199254740991,"9007199254740992",3])");
  EXPECT_EQ(Json("SELECT -9007199254740991, -9007199254740992, -9223372036854775808, "
                 "18446744073709551615::UBIGINT, 9007199254740991::UBIGINT"),
            R"([-9007199254740991,"-9007199254740992","-9223372036854775808",)"
            R"("18446744073709551615",9007199254740991])");
  EXPECT_EQ(Json("SELECT (-170141183460469231731687303715884105728)::HUGEINT, "
                 "340282366920938463463374607431768211455::UHUGEINT, 5::HUGEINT, (-7)::HUGEINT"),
            R"(["-170141183460469231731687303715884105728",)"
            R"("340282366920938463463374607431768211455",5,-7])");
  EXPECT_EQ(Json("SELECT (-128)::TINYINT, 255::UTINYINT, (-32768)::SMALLINT, 65535::USMALLINT, "
                 "(-2147483648)::INTEGER, 4294967295::UINTEGER, true, false"),
            "[-128,255,-32768,65535,-2147483648,4294967295,true,false]");
}

TEST_F(ValuesTest, BignumFollowsTheSameRule) {
  EXPECT_EQ(Json("SELECT 0::BIGNUM, 1::BIGNUM, (-1)::BIGNUM, 9007199254740992::BIGNUM, "
                 "(-256)::BIGNUM"),
            R"([0,1,-1,"9007199254740992",-256])");
  const std::string digits = "1234567890123456789012345678901234567890123456789000000000000000001";
  EXPECT_EQ(Json("SELECT '" + digits + "'::BIGNUM, '-" + digits + "'::BIGNUM"),
            "[\"" + digits + "\",\"-" + digits + "\"]");
}

TEST_F(ValuesTest, DecimalsAreNumbersUpTo15Digits) {
  EXPECT_EQ(Json("SELECT 418.80::DECIMAL(10,2) a, 1234567890123456.7::DECIMAL(18,1) b, "
                 "0.1::FLOAT c, 1e0 d"),
            R"([418.8,"1234567890123456.7",0.1,1])");
  EXPECT_EQ(Json("SELECT 0.00::DECIMAL(3,2), (-0.05)::DECIMAL(3,2), 100::DECIMAL(5,0), "
                 "100.0::DECIMAL(18,3), 0.000000001::DECIMAL(38,10)"),
            "[0,-0.05,100,100,0.000000001]");
  EXPECT_EQ(Json("SELECT 999999999999999::DECIMAL(15,0), 1000000000000000::DECIMAL(16,0), "
                 "99999999999.9999::DECIMAL(18,4), (-123456789012345.60)::DECIMAL(38,2)"),
            R"([999999999999999,"1000000000000000",99999999999.9999,"-123456789012345.60"])");
  EXPECT_EQ(
      Json("SELECT '-99999999999999999999999999999999999999'::DECIMAL(38,0), "
           "'0.00000000000000000000000000000000000001'::DECIMAL(38,38)"),
      R"(["-99999999999999999999999999999999999999",0.00000000000000000000000000000000000001])");
}

TEST_F(ValuesTest, FloatsAreShortestAndNeverNull) {
  EXPECT_EQ(Json("SELECT 'NaN'::DOUBLE, 'inf'::DOUBLE, '-inf'::FLOAT, '-0.0'::DOUBLE, 0.1::DOUBLE, "
                 "0.1::FLOAT, 16777216::FLOAT, 1e300, 3.4028234663852886e38::FLOAT"),
            R"(["NaN","Infinity","-Infinity",0,0.1,0.1,16777216,1e+300,3.4028235e+38])");
}

TEST_F(ValuesTest, TextIsEscapedAndStaysWhole) {
  EXPECT_EQ(Json(R"(SELECT 'a"b\c', E'x\ty\nz', chr(1), 'é 数 😀', '')"),
            R"(["a\"b\\c","x\ty\nz","\u0001","é 数 😀",""])");
  EXPECT_EQ(Json("SELECT '{\"a\": 1}'::JSON, 'b'::ENUM('a','b'), "
                 "'00112233-4455-6677-8899-aabbccddeeff'::UUID, "
                 "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID"),
            R"(["{\"a\": 1}","b","00112233-4455-6677-8899-aabbccddeeff",)"
            R"("ffffffff-ffff-ffff-ffff-ffffffffffff"])");
}

TEST_F(ValuesTest, BlobsAndBitsAreReadable) {
  EXPECT_EQ(Json(R"(SELECT '\xAA'::BLOB, 'a\x00\x5C~\x7F'::BLOB, ''::BLOB)"),
            R"(["\\xAA","a\\x00\\x5C~\\x7F",""])");
  EXPECT_EQ(Json("SELECT '0101'::BIT, '1'::BIT, '1010101011'::BIT"),
            R"(["0101","1","1010101011"])");
}

TEST_F(ValuesTest, DatesAndTimes) {
  EXPECT_EQ(Json("SELECT DATE '2024-02-29', DATE 'infinity', DATE '-infinity', DATE '0044-03-15 (BC)', "
                 "DATE '12345-01-01', DATE '0001-01-01', DATE '1969-12-31'"),
            R"j(["2024-02-29","infinity","-infinity","0044-03-15 (BC)","12345-01-01","0001-01-01",)j"
            R"("1969-12-31"])");
  EXPECT_EQ(Json("SELECT TIME '23:59:59.123456', TIME '24:00:00', TIME '01:02:03', "
                 "TIME_NS '11:00:00.123456789', TIMETZ '11:30:00+01:30', TIMETZ '11:30:00.5-02', "
                 "TIMETZ '00:00:00+15:59:59'"),
            R"(["23:59:59.123456","24:00:00","01:02:03","11:00:00.123456789","11:30:00+01:30",)"
            R"("11:30:00.5-02:00","00:00:00+15:59:59"])");
}

TEST_F(ValuesTest, Timestamps) {
  EXPECT_EQ(Json("SELECT TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-01 00:00:00.100', "
                 "TIMESTAMP_S '1969-12-31 23:59:59', TIMESTAMP_MS '2024-01-01 00:00:00.123', "
                 "TIMESTAMP_NS '1969-12-31 23:59:59.999999999', TIMESTAMP '-infinity'"),
            R"(["2024-01-01T00:00:00","2024-01-01T00:00:00.1","1969-12-31T23:59:59",)"
            R"("2024-01-01T00:00:00.123","1969-12-31T23:59:59.999999999","-infinity"])");
  EXPECT_EQ(Json("SELECT TIMESTAMPTZ '2024-06-01 00:00:00+02', TIMESTAMPTZ 'infinity'"),
            R"(["2024-05-31T22:00:00+00:00","infinity"])");
  EXPECT_EQ(Json("SELECT INTERVAL '1 year 2 days 3.5 seconds', INTERVAL (-1) MONTH"),
            R"([{"months":12,"days":2,"micros":3500000},{"months":-1,"days":0,"micros":0}])");
}

TEST_F(ValuesTest, NestedValuesFollowTheRulesInside) {
  EXPECT_EQ(Json(R"(SELECT 'NaN'::DOUBLE, MAP {1: 'a'}, {'k': [NULL, 1]}, '\xAA'::BLOB)"),
            R"(["NaN",[{"key":1,"value":"a"}],{"k":[null,1]},"\\xAA"])");
  EXPECT_EQ(
      Json("SELECT [9007199254740992, 1], [[], NULL, [NULL]]::INTEGER[][], [1,2,3]::INTEGER[3], "
           "row(1, 'x'), {'b': 1, 'a\"': {'c': DATE '2024-01-01'}}"),
      R"([["9007199254740992",1],[[],null,[null]],[1,2,3],[1,"x"],)"
      R"({"b":1,"a\"":{"c":"2024-01-01"}}])");
  EXPECT_EQ(Json("SELECT union_value(n := 5)::UNION(n INTEGER, s VARCHAR), "
                 "MAP {}::MAP(VARCHAR, INTEGER), NULL::INTEGER[], [{'a': NULL}]"),
            R"([{"tag":"n","value":5},[],null,[{"a":null}]])");
  EXPECT_EQ(Json("SELECT 1::VARIANT, ['x'::VARIANT], 'POINT (1 2)'::GEOMETRY, {'g': 'POINT (1 2)'::GEOMETRY}"),
            R"j(["1",["x"],"POINT (1 2)",{"g":"POINT (1 2)"}])j");
}

TEST_F(ValuesTest, NestedRowsOfManyChunks) {
  // Children are read by offset in every chunk, also when rows were filtered and repeated.
  const std::string json = Json(
      "SELECT [i, i + 1], {'s': 'v' || i}, CASE WHEN i % 2 = 0 THEN [i] END "
      "FROM range(6000) t(i) WHERE i % 3 = 0 ORDER BY i");
  EXPECT_TRUE(json.starts_with(R"([[0,1],{"s":"v0"},[0]],[[3,4],{"s":"v3"},null],[[6,7])"))
      << json.substr(0, 80);
  EXPECT_TRUE(json.ends_with(R"([[5997,5998],{"s":"v5997"},null])"))
      << json.substr(json.size() - 80);
}

TEST_F(ValuesTest, CanvasAndFilingsStyles) {
  const std::string sql =
      "SELECT 1::BIGINT, 1.50::DECIMAL(4,2), TIMESTAMP '2024-01-01 01:00:00', "
      "TIMESTAMPTZ '2024-01-01 01:00:00+00', INTERVAL 1 DAY, 1::INTEGER, TIMETZ '11:30:00+01'";
  EXPECT_EQ(Json(sql, kCanvasStyle), R"([1,1.5,"2024-01-01 01:00:00","2024-01-01 01:00:00+00",)"
                                     R"({"months":0,"days":1,"micros":0},1,"11:30:00+01"])");
  EXPECT_EQ(Json(sql, kFilingsStyle),
            R"(["1","1.50","2024-01-01 01:00:00","2024-01-01 01:00:00+00",)"
            R"({"months":0,"days":1,"micros":"0"},1,"11:30:00+01"])");
  EXPECT_EQ(Json("SELECT 1::HUGEINT, (-1)::UBIGINT + 2, 3::BIGNUM", kFilingsStyle).substr(0, 4),
            "(err");
  EXPECT_EQ(Json("SELECT 1::HUGEINT, 2::UBIGINT, 3::BIGNUM, -4::BIGINT", kFilingsStyle),
            R"(["1","2","3","-4"])");
}

// Each scalar of test_all_types(), its minimum and maximum, read back by the engine from our text,
// must be the value again.
TEST_F(ValuesTest, EveryScalarOfTestAllTypesReadsBackTheSame) {
  auto probe = connection().Run("SELECT * FROM test_all_types()");
  ASSERT_TRUE(probe.has_value());
  const auto columns = probe->columns();
  const auto types = probe->types();
  probe = connection().Run("SELECT 1");
  int checked = 0;
  for (size_t i = 0; i < columns.size(); ++i) {
    // Nested ones, INTERVAL objects and the engine's own text forms are checked by literal above.
    if (!types[i].children.empty() || types[i].id == engine::TypeId::kInterval ||
        types[i].id == engine::TypeId::kOther) {
      continue;
    }
    const std::string name = engine::QuoteIdentifier(columns[i].name);
    json::Document document;
    const std::string rows = Json("SELECT " + name + " FROM test_all_types()");
    const auto view = document.Parse("[" + rows + "]");
    ASSERT_TRUE(view.has_value()) << columns[i].name << ": " << rows;
    std::vector<std::string> texts;
    view->ForEachElement([&](json::View row) {
      row.ForEachElement([&](json::View cell) {
        texts.push_back(cell.IsString() ? std::string(*cell.AsString()) : cell.ToJson());
        return true;
      });
      return true;
    });
    ASSERT_EQ(texts.size(), 3U) << columns[i].name;
    EXPECT_EQ(texts[2], "null");
    for (int row = 0; row < 2; ++row) {
      const NamedParameters text{
          {"t", {.kind = Parameter::Kind::kText, .text = texts[static_cast<size_t>(row)]}}};
      EXPECT_EQ(
          OneText("SELECT CAST($t AS " + columns[i].type +
                      ") IS NOT DISTINCT FROM v FROM (SELECT " + name +
                      " AS v FROM test_all_types() LIMIT 1 OFFSET " + std::to_string(row) + ")",
                  text),
          "true")
          << columns[i].name << " " << texts[static_cast<size_t>(row)];
      ++checked;
    }
  }
  EXPECT_GE(checked, 60);
}

TEST_F(ValuesTest, NestedColumnsOfTestAllTypesAreJson) {
  const std::string rows = Json(
      "SELECT COLUMNS(c -> c LIKE '%array%' OR c LIKE '%struct%' OR c IN ('map', 'union', "
      "'interval')) FROM test_all_types()");
  json::Document document;
  const auto view = document.Parse("[" + rows + "]");
  ASSERT_TRUE(view.has_value()) << rows;
  EXPECT_EQ(view->Size(), 3U);
}

}  // namespace
}  // namespace ducat::rows
