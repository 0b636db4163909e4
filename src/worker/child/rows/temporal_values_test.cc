// Dates, times, intervals in JSON (analyst.md 7, canvas.md 8).
#include <gtest/gtest.h>

#include "worker/child/rows/rows_fixture.h"

namespace ducat::rows {
namespace {

class TemporalValuesTest : public RowsFixture {};

TEST_F(TemporalValuesTest, DatesAndTimes) {
  EXPECT_EQ(
      Json("SELECT DATE '2024-02-29', DATE 'infinity', DATE '-infinity', DATE '0044-03-15 (BC)', "
           "DATE '12345-01-01', DATE '0001-01-01', DATE '1969-12-31'"),
      R"j(["2024-02-29","infinity","-infinity","0044-03-15 (BC)","12345-01-01","0001-01-01",)j"
      R"("1969-12-31"])");
  EXPECT_EQ(Json("SELECT TIME '23:59:59.123456', TIME '24:00:00', TIME '01:02:03', "
                 "TIME_NS '11:00:00.123456789', TIMETZ '11:30:00+01:30', TIMETZ '11:30:00.5-02', "
                 "TIMETZ '00:00:00+15:59:59'"),
            R"(["23:59:59.123456","24:00:00","01:02:03","11:00:00.123456789","11:30:00+01:30",)"
            R"("11:30:00.5-02:00","00:00:00+15:59:59"])");
}

TEST_F(TemporalValuesTest, Timestamps) {
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

}  // namespace
}  // namespace ducat::rows
