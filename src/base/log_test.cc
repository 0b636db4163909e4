#include "base/log.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct LogTest : ::testing::Test {
  ManualClock clock;
  std::vector<std::string> lines;
  LogOptions Options(LogLevel level, bool readable = false) {
    return {.level = level, .readable = readable, .sink = [this](std::string_view line) {
              lines.emplace_back(line);
            }};
  }
};

TEST_F(LogTest, WritesOneJsonObjectALine) {
  Log log(clock, Options(LogLevel::kInfo));
  log.Write(LogLevel::kWarning, "a \"b\"\n\x1b", {{"tool", "query"}, {"reason", ""}});
  EXPECT_THAT(lines, ElementsAre("{\"ts\":\"1970-01-01T00:00:00.000Z\",\"level\":\"warning\","
                                 "\"msg\":\"a \\\"b\\\"\\u000a\\u001b\",\"tool\":\"query\"}"));
}

TEST_F(LogTest, IsReadableOnATerminalAndCannotDriveIt) {
  Log log(clock, Options(LogLevel::kInfo, true));
  log.Write(LogLevel::kInfo, "started\x1b[31m", {{"tables", "7"}});
  EXPECT_THAT(lines, ElementsAre("00:00:00 info  started.[31m  tables=7"));
  log.Write(LogLevel::kInfo,
            "\xc2\x9b"
            "2J",
            {{"file",
              "\xe2\x80\xae"
              "gpj.\xc3\xa4"}});
  EXPECT_EQ(lines.back(), "00:00:00 info  .2J  file=.gpj.\xc3\xa4");
}

TEST_F(LogTest, DropsLinesBelowTheLevel) {
  Log log(clock, Options(LogLevel::kWarning));
  log.Write(LogLevel::kNotice, "no");
  EXPECT_THAT(lines, IsEmpty());
  Log silent(clock, Options(LogLevel::kSilent));
  silent.Write(LogLevel::kEmergency, "no");
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(LogTest, EqualLinesComeTenTimesAMinuteThenAsACount) {
  Log log(clock, Options(LogLevel::kInfo));
  for (int i = 0; i < 25; ++i) {
    const std::string rid = std::to_string(i);
    log.Write(LogLevel::kInfo, "again", {{"rid", rid}});
  }
  EXPECT_THAT(lines, SizeIs(10));
  log.Write(LogLevel::kInfo, "other");
  EXPECT_THAT(lines, SizeIs(11));
  clock.Advance(std::chrono::seconds(61));
  log.Write(LogLevel::kInfo, "again", {{"rid", "99"}});
  ASSERT_THAT(lines, SizeIs(13));
  EXPECT_THAT(lines[11], HasSubstr("\"rid\":\"24\",\"repeated\":15}"));
  EXPECT_THAT(lines[12], HasSubstr("\"rid\":\"99\"}"));
}

TEST_F(LogTest, DurationsAreNumbers) {
  Log log(clock, Options(LogLevel::kInfo));
  log.Write(LogLevel::kInfo, "a", {{"ms", "120"}, {"exit", "120"}});
  log.Write(LogLevel::kInfo, "b", {{"ms", "0"}});
  log.Write(LogLevel::kInfo, "c", {{"ms", "012"}});
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[0], HasSubstr(R"("ms":120,"exit":"120"})"));
  EXPECT_THAT(lines[1], HasSubstr(R"("ms":0})"));
  EXPECT_THAT(lines[2], HasSubstr(R"("ms":"012"})"));
}

TEST_F(LogTest, TellsTheCountWhenItEnds) {
  {
    Log log(clock, Options(LogLevel::kInfo));
    for (int i = 0; i < 11; ++i)
      log.Write(LogLevel::kInfo, "again");
    EXPECT_THAT(lines, SizeIs(10));
  }
  ASSERT_THAT(lines, SizeIs(11));
  EXPECT_THAT(lines.back(), HasSubstr("\"repeated\":1}"));
}

TEST(LogLevelNames, RoundTripAndHaveTwoMore) {
  for (int i = 0; i <= static_cast<int>(LogLevel::kSilent); ++i) {
    const auto level = static_cast<LogLevel>(i);
    EXPECT_EQ(ParseLogLevel(Name(level)), level);
  }
  EXPECT_EQ(ParseLogLevel("warn"), LogLevel::kWarning);
  EXPECT_EQ(ParseLogLevel("loud"), std::nullopt);
}

}  // namespace
}  // namespace ducat
