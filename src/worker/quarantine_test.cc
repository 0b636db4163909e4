#include "worker/quarantine.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::worker {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TEST(Quarantine, TwoKillsWithinTenMinutesRefuseForTen) {
  ManualClock clock;
  Quarantine quarantine(clock);
  quarantine.RecordKill("a");
  EXPECT_EQ(quarantine.TimeLeft("a"), std::nullopt);
  clock.Advance(minutes(10) - seconds(1));
  quarantine.RecordKill("a");
  EXPECT_EQ(quarantine.TimeLeft("a"), seconds(600));
  EXPECT_EQ(quarantine.TimeLeft("b"), std::nullopt);
  clock.Advance(seconds(599));
  EXPECT_EQ(quarantine.TimeLeft("a"), seconds(1));
  clock.Advance(seconds(1));
  EXPECT_EQ(quarantine.TimeLeft("a"), std::nullopt);
}

TEST(Quarantine, KillsFurtherApartDoNotCountTogether) {
  ManualClock clock;
  Quarantine quarantine(clock);
  for (int i = 0; i < 5; ++i) {
    quarantine.RecordKill("a");
    EXPECT_EQ(quarantine.TimeLeft("a"), std::nullopt);
    clock.Advance(minutes(10));
  }
}

TEST(Quarantine, WorkWithoutAStatementIsNeverQuarantined) {
  ManualClock clock;
  Quarantine quarantine(clock);
  quarantine.RecordKill("");
  quarantine.RecordKill("");
  EXPECT_EQ(quarantine.TimeLeft(""), std::nullopt);
}

TEST(Quarantine, ForgetsTheOldestWhenFull) {
  ManualClock clock;
  Quarantine quarantine(clock);
  quarantine.RecordKill("oldest");
  for (size_t i = 0; i < Quarantine::kEntriesMax; ++i) {
    clock.Advance(std::chrono::milliseconds(1));
    quarantine.RecordKill("s" + std::to_string(i));
  }
  quarantine.RecordKill("oldest");
  EXPECT_EQ(quarantine.TimeLeft("oldest"), std::nullopt) << "its first kill is forgotten";
  quarantine.RecordKill("s4095");
  EXPECT_NE(quarantine.TimeLeft("s4095"), std::nullopt);
}

}  // namespace
}  // namespace ducat::worker
