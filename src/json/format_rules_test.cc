#include "json/format_rules.h"

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

TEST(FitsFormat, DatesExistInTheCalendar) {
  for (const std::string_view text :
       {"2024-01-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"}) {
    EXPECT_TRUE(FitsFormat(Format::kDate, text)) << text;
  }
  for (const std::string_view text :
       {"", "2024-13-01", "2024-00-01", "2025-02-29", "2025-02-30", "1900-02-29", "2024-01-32",
        "2024-1-1", "24-01-01", "2024/01/01", "2024-01-01 ", " 2024-01-01", "2024-01-01T00:00:00Z",
        "today", "2024-01-0x"}) {
    EXPECT_FALSE(FitsFormat(Format::kDate, text)) << text;
  }
}

TEST(FitsFormat, TimesFollowRfc3339) {
  for (const std::string_view text : {"2024-01-31T09:30:00Z", "2024-01-31t09:30:00z",
                                      "2024-01-31T23:59:60Z", "2024-01-31T09:30:00.123456Z",
                                      "2024-01-31T09:30:00+02:00", "2024-01-31T09:30:00.5-11:30"}) {
    EXPECT_TRUE(FitsFormat(Format::kDateTime, text)) << text;
  }
  for (const std::string_view text :
       {"", "2024-01-31", "2024-01-31T09:30Z", "2024-01-31T09:30:00", "2024-01-31 09:30:00Z",
        "2024-01-31T24:00:00Z", "2024-01-31T09:60:00Z", "2024-01-31T09:30:61Z",
        "2024-01-31T09:30:00.Z", "2024-01-31T09:30:00+2:00", "2024-01-31T09:30:00+24:00",
        "2024-02-30T09:30:00Z", "2024-01-31T09:30:00ZZ", "2024-01-31T09.30.00Z"}) {
    EXPECT_FALSE(FitsFormat(Format::kDateTime, text)) << text;
  }
}

TEST(FitsFormat, UrisHaveASchemeAndNoBlanks) {
  for (const std::string_view text :
       {"https://example.org/a?b=c#d", "duckdb://schema", "urn:x", "a+b-c.d:e%20f"}) {
    EXPECT_TRUE(FitsFormat(Format::kUri, text)) << text;
  }
  for (const std::string_view text : {"", ":", "x:", ":x", "1a:x", "example.org/a", "http://a b",
                                      "http://a\n", "http://\xC3\xA9", "a_b:c", "x:<y>"}) {
    EXPECT_FALSE(FitsFormat(Format::kUri, text)) << text;
  }
  EXPECT_TRUE(FitsFormat(Format::kNone, "anything"));
}

}  // namespace
}  // namespace ducat::json
