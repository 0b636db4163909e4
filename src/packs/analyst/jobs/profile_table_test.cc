#include "packs/analyst/jobs/profile_table.h"

#include <string>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

template <class Base>
class WithProfile : public Base {
 protected:
  Result<ProfileTableOut> Profile(const std::string& name, std::vector<std::string> columns = {}) {
    return this->template Run<ProfileTableOut>(
        "profile_table", ProfileTableIn{.name = name, .columns = std::move(columns)});
  }
  // The only column of a table made from values: "1", "NULL", "'x'".
  ProfiledColumn One(const std::string& type, const std::string& values) {
    static int number = 0;
    const std::string name = "one" + std::to_string(number++);
    this->MountSelect(name,
                      "SELECT CAST(v AS " + type + ") AS v FROM (VALUES " + values + ") x(v)");
    auto out = Profile(name);
    if (!out.has_value()) {
      ADD_FAILURE() << out.error().reason << ": " << out.error().message;
      return {};
    }
    return out->columns.front();
  }
  static std::string Warnings(const ProfiledColumn& column) {
    std::string text;
    for (const ProfileWarning& warning : column.warnings) {
      text += (text.empty() ? "" : " ") + warning.code;
    }
    return text;
  }
};
using ProfileTableTest = WithProfile<JobsFixture>;
using ProfileSampleTest = WithProfile<SampleDataFixture>;

// analyst.md 5.3: facts of the reference server's sample.
TEST_F(ProfileSampleTest, FactsOfTheReferenceServer) {
  const auto out = Profile("orders", {"plan", "amount_eur"});
  ASSERT_THAT(out, IsOk());
  EXPECT_EQ(out->row_count, 1200);
  EXPECT_EQ(out->low_cardinality_threshold, 20);
  const ProfiledColumn& plan = out->columns[0];
  EXPECT_EQ(plan.type, "VARCHAR");
  EXPECT_EQ(plan.count, 1200);
  EXPECT_EQ(plan.null_pct, 0.0);
  EXPECT_EQ(plan.distinct_count, 4);
  EXPECT_EQ(plan.min.json, "\"digital\"");
  EXPECT_EQ(plan.max.json, "\"student\"");
  ASSERT_TRUE(plan.top_values.has_value());
  std::string top;
  for (const TopValue& value : *plan.top_values) {
    top += value.value.json + " " + std::to_string(value.count) + ";";
  }
  EXPECT_EQ(top, R"("print_digital" 364;"digital" 323;"print" 257;"student" 256;)");
  const ProfiledColumn& amount = out->columns[1];
  EXPECT_EQ(amount.type, "DECIMAL(10,2)");
  EXPECT_TRUE(amount.is_numeric);
  EXPECT_EQ(amount.distinct_count, 36);
  EXPECT_EQ(amount.min.json, "3.68");
  EXPECT_EQ(amount.max.json, "418.8");
  EXPECT_EQ(amount.mean, 73.488592);
  EXPECT_EQ(amount.stddev, 110.934603);
  EXPECT_FALSE(amount.top_values.has_value());
}

TEST_F(ProfileTableTest, ColumnsOfJson) {
  const ProfiledColumn column = One("JSON", R"(('1'),('"x"'),('"x"'),('{"a": ""}'),(NULL))");
  EXPECT_EQ(column.type, "JSON");
  EXPECT_EQ(column.count, 4);
  EXPECT_EQ(column.null_count, 1);
  EXPECT_EQ(column.distinct_count, 3);
  EXPECT_EQ(column.empty_count, 0);
  EXPECT_EQ(column.min_length, 1);
  EXPECT_EQ(column.max_length, 9);
  ASSERT_TRUE(column.top_values.has_value());
  EXPECT_EQ(column.top_values->front().value.json, R"("\"x\"")");
  EXPECT_EQ(column.top_values->front().count, 2);
}

TEST_F(ProfileTableTest, Numbers) {
  const ProfiledColumn column = One("INTEGER", "(1),(2),(3),(4),(NULL)");
  EXPECT_TRUE(column.is_numeric);
  EXPECT_EQ(column.count, 4);
  EXPECT_EQ(column.null_count, 1);
  EXPECT_EQ(column.null_pct, 20.0);
  EXPECT_TRUE(column.is_unique);
  EXPECT_EQ(column.mean, 2.5);
  EXPECT_EQ(column.stddev, 1.290994);
  EXPECT_EQ(column.p25.json, "1.75");
  EXPECT_EQ(column.median.json, "2.5");
  EXPECT_EQ(column.p75.json, "3.25");
  EXPECT_FALSE(column.nan_count.has_value());
  EXPECT_FALSE(column.min_length.has_value());
  EXPECT_EQ(Warnings(column), "many_nulls");
}

TEST_F(ProfileTableTest, NanAndInfinities) {
  const ProfiledColumn nan = One("DOUBLE", "('NaN'),('1'),('3'),('NaN')");
  EXPECT_EQ(nan.nan_count, 2);
  EXPECT_EQ(nan.min.json, "1");
  EXPECT_EQ(nan.max.json, "3");
  EXPECT_EQ(nan.mean, 2.0);
  EXPECT_EQ(nan.stddev, 1.414214);
  EXPECT_EQ(nan.median.json, "2");
  EXPECT_EQ(nan.distinct_count, 3);
  const ProfiledColumn infinite = One("FLOAT", "('inf'),('1'),('-inf')");
  EXPECT_EQ(infinite.max.json, "\"Infinity\"");
  EXPECT_EQ(infinite.min.json, "\"-Infinity\"");
  EXPECT_FALSE(infinite.stddev.has_value());
  EXPECT_FALSE(infinite.mean.has_value());
  const ProfiledColumn large = One("DOUBLE", "('1e200'),('-1e200')");
  EXPECT_EQ(large.mean, 0.0);
  EXPECT_FALSE(large.stddev.has_value());
  const ProfiledColumn only = One("DOUBLE", "('NaN'),('NaN')");
  EXPECT_EQ(only.min.json, "null");
  EXPECT_FALSE(only.mean.has_value());
  EXPECT_EQ(Warnings(only), "constant");
}

TEST_F(ProfileTableTest, OneValueHasNoDeviation) {
  const ProfiledColumn column = One("BIGINT", "(5)");
  EXPECT_EQ(column.mean, 5.0);
  EXPECT_FALSE(column.stddev.has_value());
  EXPECT_EQ(Warnings(column), "");
}

TEST_F(ProfileTableTest, Texts) {
  const ProfiledColumn column = One("VARCHAR", "('Zoë'),(''),('abc'),('Zoë'),(NULL)");
  EXPECT_EQ(column.empty_count, 1);
  EXPECT_EQ(column.min_length, 0);
  EXPECT_EQ(column.max_length, 3);
  EXPECT_EQ(column.min.json, "\"\"");
  EXPECT_EQ(column.max.json, "\"abc\"") << "by code point";
  EXPECT_EQ(column.p25.json, "null");
  ASSERT_TRUE(column.top_values.has_value());
  EXPECT_EQ(column.top_values->front().value.json, "\"Zoë\"");
  EXPECT_EQ((*column.top_values)[1].value.json, "\"\"") << "ties by value";
}

TEST_F(ProfileTableTest, TextWarnings) {
  EXPECT_EQ(Warnings(One("VARCHAR", "('a'),(' A'),('b')")), "near_duplicates");
  EXPECT_EQ(Warnings(One("VARCHAR", "('1.5'),('2'),('')")), "numbers_as_text");
  EXPECT_EQ(Warnings(One("VARCHAR", "('01234'),('99999')")), "") << "codes are no numbers";
  EXPECT_EQ(Warnings(One("VARCHAR", "(NULL),(NULL)")), "all_null");
  EXPECT_EQ(Warnings(One("VARCHAR", "('x'),('x')")), "constant");
}

TEST_F(ProfileTableTest, Times) {
  const ProfiledColumn column =
      One("TIMESTAMP", "('2024-01-01'),('2024-01-02 03:04:05'),('2024-01-03'),('2024-01-04')");
  EXPECT_FALSE(column.is_numeric);
  EXPECT_EQ(column.min.json, "\"2024-01-01T00:00:00\"");
  EXPECT_EQ(column.median.json, "\"2024-01-02T03:04:05\"") << "a value that occurs";
  EXPECT_FALSE(column.mean.has_value());
}

TEST_F(ProfileTableTest, NestedAndEmpty) {
  const ProfiledColumn nested = One("INTEGER[]", "([1,2]),([1,2]),(NULL)");
  EXPECT_EQ(nested.min.json, "null");
  EXPECT_EQ(nested.distinct_count, 1);
  EXPECT_EQ(nested.top_values->front().value.json, "[1,2]");
  MountCsv("empty", "a,b\n");
  const auto empty = Profile("empty");
  ASSERT_THAT(empty, IsOk());
  EXPECT_EQ(empty->columns[0].null_pct, 0.0);
  EXPECT_EQ(empty->columns[0].distinct_count, 0);
  EXPECT_FALSE(empty->columns[0].is_unique);
  ASSERT_TRUE(empty->columns[0].top_values.has_value());
  EXPECT_TRUE(empty->columns[0].top_values->empty());
}

TEST_F(ProfileTableTest, EveryTypeHasAProfile) {
  MountSelect("t", "SELECT * EXCLUDE (medium_enum) FROM test_all_types()");
  const auto out = Profile("t");
  ASSERT_THAT(out, IsOk());
  for (const ProfiledColumn& column : out->columns) {
    EXPECT_EQ(column.null_count, 1) << column.name;
    EXPECT_GE(column.distinct_count, 1) << column.name;
    EXPECT_TRUE(column.top_values.has_value()) << column.name;
  }
}

TEST_F(ProfileTableTest, WideDecimals) {
  const ProfiledColumn column = One("DECIMAL(38,10)",
                                    "(9999999999999999999999999999.5),"
                                    "(9999999999999999999999999999.5),(1.25)");
  EXPECT_EQ(column.max.json, "\"9999999999999999999999999999.5000000000\"");
  EXPECT_TRUE(column.mean.has_value());
  const ProfiledColumn small = One("DECIMAL(4,2)", "(1.10),(1.20)");
  EXPECT_EQ(small.median.json, "1.15");
}

TEST_F(ProfileTableTest, EstimatesAboveTheLimit) {
  MountSelect("big", "SELECT range AS id, range % 7 AS few FROM range(2000001)");
  const auto out = Profile("big");
  ASSERT_THAT(out, IsOk());
  EXPECT_FALSE(out->columns[0].distinct_exact);
  EXPECT_FALSE(out->columns[0].is_unique);
  EXPECT_NEAR(static_cast<double>(out->columns[0].distinct_count), 2e6, 4e5);
  EXPECT_LE(out->columns[0].distinct_count, 2'000'001);
  EXPECT_TRUE(out->columns[1].distinct_exact);
  EXPECT_EQ(out->columns[1].distinct_count, 7);
  ASSERT_TRUE(out->columns[1].top_values.has_value());
  EXPECT_EQ(out->columns[1].top_values->front().value.json, "0");
  EXPECT_EQ(out->columns[1].top_values->front().count, 285'715);
  MountSelect("limit", "SELECT range AS id FROM range(2000000)");
  const auto limit = Profile("limit");
  ASSERT_THAT(limit, IsOk());
  EXPECT_TRUE(limit->columns[0].distinct_exact);
  EXPECT_EQ(limit->columns[0].distinct_count, 2'000'000);
}

TEST_F(ProfileTableTest, Refusals) {
  std::string names;
  for (int i = 0; i < 201; ++i)
    names += (i == 0 ? "1 AS c" : ", 1 AS c") + std::to_string(i);
  MountSelect("wide", "SELECT " + names);
  const auto wide = Profile("wide");
  ASSERT_THAT(wide, FailsWith("invalid_arguments"));
  EXPECT_THAT(wide.error().hint, ::testing::HasSubstr("columns"));
  EXPECT_THAT(Profile("wide", {"c200"}), IsOk());
  EXPECT_THAT(Profile("wide", {"nope"}), FailsWith("unknown_column"));
  EXPECT_THAT(Profile("nope"), FailsWith("unknown_table"));
}

}  // namespace
}  // namespace ducat::analyst
