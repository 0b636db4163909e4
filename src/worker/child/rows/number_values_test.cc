// BOOLEAN, integers, FLOAT, DOUBLE in JSON (analyst.md 7).
#include <gtest/gtest.h>

#include "worker/child/rows/rows_fixture.h"

namespace ducat::rows {
namespace {

class NumberValuesTest : public RowsFixture {};

TEST_F(NumberValuesTest, IntegersBeyond53BitsAreStrings) {
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

TEST_F(NumberValuesTest, BignumFollowsTheSameRule) {
  EXPECT_EQ(Json("SELECT 0::BIGNUM, 1::BIGNUM, (-1)::BIGNUM, 9007199254740992::BIGNUM, "
                 "(-256)::BIGNUM"),
            R"([0,1,-1,"9007199254740992",-256])");
  const std::string digits = "1234567890123456789012345678901234567890123456789000000000000000001";
  EXPECT_EQ(Json("SELECT '" + digits + "'::BIGNUM, '-" + digits + "'::BIGNUM"),
            "[\"" + digits + "\",\"-" + digits + "\"]");
}

TEST_F(NumberValuesTest, FloatsAreShortestAndNeverNull) {
  EXPECT_EQ(Json("SELECT 'NaN'::DOUBLE, 'inf'::DOUBLE, '-inf'::FLOAT, '-0.0'::DOUBLE, 0.1::DOUBLE, "
                 "0.1::FLOAT, 16777216::FLOAT, 1e300, 3.4028234663852886e38::FLOAT"),
            R"(["NaN","Infinity","-Infinity",0,0.1,0.1,16777216,1e+300,3.4028235e+38])");
}

}  // namespace
}  // namespace ducat::rows
