#include "worker/child/ingest/column_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::ingest {
namespace {

using ::testing::ElementsAre;

TEST(HeaderNamesTest, NoEmptyAndNoDoubleNames) {
  EXPECT_THAT(HeaderNames({"a", "A", std::nullopt, "a", ""}),
              ElementsAre("a", "A_1", "column2", "a_2", "column4"));
}

TEST(HeaderNamesTest, OuterBlanksAndNulBytesGo) {
  EXPECT_THAT(HeaderNames({" a b\t", std::string("x\0y", 3), "\n"}),
              ElementsAre("a b", "xy", "column2"));
}

}  // namespace
}  // namespace ducat::ingest
