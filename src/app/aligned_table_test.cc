#include "app/aligned_table.h"

#include <gtest/gtest.h>

namespace ducat::app {
namespace {

TEST(AlignedTable, PadsToTheWidestCell) {
  AlignedTable table({{"name", Align::kLeft}, {"n", Align::kRight}, {"note", Align::kLeft}});
  table.Row({"a", "1", "x"});
  table.Row({"longer", "1,000", ""});
  EXPECT_EQ(table.Text(),
            "name        n  note\n"
            "------  -----  ----\n"
            "a           1  x\n"
            "longer  1,000\n");
}

TEST(AlignedTable, CountsWideAndCombiningCharacters) {
  EXPECT_EQ(DisplayWidth("abc"), 3U);
  EXPECT_EQ(DisplayWidth("\xe6\x95\xb0\xe6\x8d\xae"), 4U);
  EXPECT_EQ(DisplayWidth("u\xcc\x88"), 1U);
  EXPECT_EQ(DisplayWidth("\xff"), 1U);
  AlignedTable table({{"k", Align::kLeft}, {"v", Align::kLeft}});
  table.Row({"\xe6\x95\xb0", "1"});
  table.Row({"a", "2"});
  EXPECT_EQ(table.Text(), "k   v\n--  -\n\xe6\x95\xb0  1\na   2\n");
}

TEST(AlignedTable, ShowsHeadersWithoutRows) {
  EXPECT_EQ(AlignedTable({{"a", Align::kLeft}, {"b", Align::kRight}}).Text(), "a  b\n-  -\n");
}

}  // namespace
}  // namespace ducat::app
