#include "worker/child/ingest/value_class.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::ingest {
namespace {

TextClass ClassOf(std::string_view value) {
  return ClassifyValue(value).text_class;
}

TEST(ValueClassTest, Numbers) {
  for (const char* text : {"0", "-1", "123456789012345"})
    EXPECT_EQ(ClassOf(text), kSmallInteger) << text;
  for (const char* text : {"9223372036854775807", "1234567890123456"}) {
    EXPECT_EQ(ClassOf(text), kInteger64) << text;
  }
  EXPECT_EQ(ClassOf("9223372036854775808"), kInteger128);
  EXPECT_EQ(ClassOf(std::string(38, '9')), kInteger128);
  EXPECT_EQ(ClassOf(std::string(39, '9')), kLostNumber);
  for (const char* text : {"1.5", "-0.25", "5.", ".5", "0.10000000000000000000", "-0.0"}) {
    EXPECT_EQ(ClassOf(text), kNumber) << text;
  }
  for (const char* text : {"1e5", "-1.5E-10", "0e0", "123e-5"})
    EXPECT_EQ(ClassOf(text), kExponent) << text;
  EXPECT_EQ(ClassOf("1.23456789012345678901"), kLongNumber);
  for (const char* text : {"1e400", "1e-400"})
    EXPECT_EQ(ClassOf(text), kLostNumber) << text;
  for (const char* text : {"007", "+1", "-0", "00.5"})
    EXPECT_EQ(ClassOf(text), kCode) << text;
  for (const char* text : {"NaN", "inf", "-inf", "Infinity"})
    EXPECT_EQ(ClassOf(text), kSpecialNumber) << text;
  for (const char* text : {"1_000", "1-2", "--1", "1.2.3", "e5", "0x10"})
    EXPECT_EQ(ClassOf(text), kText) << text;
}

TEST(ValueClassTest, Times) {
  for (const char* text : {"2024-02-29", "2024/02/29"})
    EXPECT_EQ(ClassOf(text), kIsoDate) << text;
  for (const char* text : {"2023-02-29", "0000-01-01", "2024-13-01", "2024-02/29"}) {
    EXPECT_EQ(ClassOf(text), kText) << text;
  }
  EXPECT_EQ(ClassOf("31/12/2024"), kDayFirst);
  EXPECT_EQ(ClassOf("12-31-2024"), kMonthFirst);
  EXPECT_EQ(ClassOf("1.2.2024"), kEitherFirst);
  EXPECT_EQ(ClassOf("03/03/2024"), kSameFirst);
  EXPECT_EQ(ClassOf("31/31/2024"), kText);
  for (const char* text : {"2024-01-01T10:00", "2024-01-01 10:00:00.123456"}) {
    EXPECT_EQ(ClassOf(text), kTimestamp) << text;
  }
  for (const char* text : {"2024-01-01T24:00:00", "2024-01-01 10:00:00.1234567"}) {
    EXPECT_EQ(ClassOf(text), kText) << "would be changed: " << text;
  }
  for (const char* text : {"2024-01-01T10:00:00Z", "2024-01-01 10:00:00+02:30"}) {
    EXPECT_EQ(ClassOf(text), kTimestampZone) << text;
  }
  EXPECT_EQ(ClassOf("23:59:59.5"), kTimeOfDay);
}

TEST(ValueClassTest, Words) {
  for (const char* text : {"true", "FALSE"})
    EXPECT_EQ(ClassOf(text), kBooleanWord) << text;
  for (const char* text : {"N/A", "null", "-", "NA"})
    EXPECT_EQ(ClassOf(text), kNullWord) << text;
  for (const char* text : {"1,234.50", "$5", "10%", "1 000"})
    EXPECT_EQ(ClassOf(text), kFormattedNumber) << text;
  EXPECT_EQ(ClassOf("1,5"), kDecimalComma);
  EXPECT_EQ(ClassOf("6ba7b810-9dad-11d1-80b4-00c04fd430c8"), kUuid);
  for (const char* text : {"yes", "ann", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"}) {
    EXPECT_EQ(ClassOf(text), kText) << text;
  }
}

}  // namespace
}  // namespace ducat::ingest
