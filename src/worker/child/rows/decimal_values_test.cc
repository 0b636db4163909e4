// DECIMAL in JSON (analyst.md 7).
#include <gtest/gtest.h>

#include "worker/child/rows/rows_fixture.h"

namespace ducat::rows {
namespace {

class DecimalValuesTest : public RowsFixture {};

TEST_F(DecimalValuesTest, DecimalsAreNumbersUpTo15Digits) {
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

}  // namespace
}  // namespace ducat::rows
