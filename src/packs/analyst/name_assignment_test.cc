#include "packs/analyst/name_assignment.h"

#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using testing::IsOk;

constexpr int64_t kNow = 1'800'000'000;
constexpr int64_t kDay = 24 * 3600;

TEST(NameAssignment, NumbersCollisionsFromTwo) {
  NameAssignment names({}, kNow);
  EXPECT_EQ(names.Assign("a b.csv", "a_b"), "a_b");
  EXPECT_EQ(names.Assign("a-b.csv", "a_b"), "a_b_2");
  EXPECT_EQ(names.Assign("a.b.csv", "a_b"), "a_b_3");
  EXPECT_EQ(names.Assign("a-b.csv", "a_b"), "a_b_2");
  EXPECT_TRUE(names.changed());
}

TEST(NameAssignment, KeepsNumberedNamesWithinTheLimit) {
  NameAssignment names({}, kNow);
  const std::string longest(63, 'x');
  EXPECT_EQ(names.Assign("1", longest), longest);
  EXPECT_EQ(names.Assign("2", longest), std::string(61, 'x') + "_2");
}

TEST(NameAssignment, NeverRenumbersWhatIsKnown) {
  NameAssignment first({}, kNow);
  EXPECT_EQ(first.Assign("z.csv", "z"), "z");
  NameAssignment second(first.Known(), kNow + kDay / 2);
  EXPECT_EQ(second.Assign("Z.csv", "z"), "z_2");  // sorts before, comes later
  EXPECT_EQ(second.Assign("z.csv", "z"), "z");
}

TEST(NameAssignment, HoldsAVanishedNameForThirtyDays) {
  const std::vector<KnownName> known{{.source = "gone.csv", .name = "gone", .seen_s = kNow}};
  NameAssignment at_limit(known, kNow + kNameHeldSeconds);
  EXPECT_EQ(at_limit.Assign("Gone.csv", "gone"), "gone_2");
  NameAssignment past(known, kNow + kNameHeldSeconds + 1);
  EXPECT_EQ(past.Assign("Gone.csv", "gone"), "gone");
  EXPECT_EQ(past.Known().size(), 1U);
}

TEST(NameAssignment, IsUnchangedWhileEverythingIsKnown) {
  const std::vector<KnownName> known{{.source = "a.csv", .name = "a", .seen_s = kNow}};
  NameAssignment soon(known, kNow + 60);
  EXPECT_EQ(soon.Assign("a.csv", "a"), "a");
  EXPECT_FALSE(soon.changed());
  NameAssignment later(known, kNow + 2 * kDay);
  EXPECT_EQ(later.Assign("a.csv", "a"), "a");
  EXPECT_TRUE(later.changed());  // the time it was last there is kept by the day
}

TEST(NamesFile, ComesBackAsItWas) {
  const testing::ScratchFolder folder;
  const std::string file = folder.string() + "/state/names.json";
  EXPECT_TRUE(LoadNames(file)->empty());
  NameAssignment names({}, kNow);
  EXPECT_EQ(names.Assign("db:main.\"odd\"", "\"odd\""), "\"odd\"");
  ASSERT_THAT(SaveNames(file, names), IsOk());
  const auto loaded = LoadNames(file);
  ASSERT_THAT(loaded, IsOk());
  ASSERT_EQ(loaded->size(), 1U);
  EXPECT_EQ(loaded->front().source, "db:main.\"odd\"");
  EXPECT_EQ(loaded->front().seen_s, kNow);
}

TEST(NamesFile, RefusesWhatItCannotRead) {
  const testing::ScratchFolder folder;
  folder.Write("names.json", "{\"version\":1,\"names\":");
  EXPECT_THAT(LoadNames(folder.string() + "/names.json"), FailsWith("json_syntax"));
  folder.Write("names.json", R"({"version":2,"names":[]})");
  EXPECT_THAT(LoadNames(folder.string() + "/names.json"), FailsWith("file_unreadable"));
}

}  // namespace
}  // namespace ducat::analyst
