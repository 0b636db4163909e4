#include "worker/child/guard/edited_text.h"

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

TEST(EditedText, MapsBackThroughWrapperAndReplacements) {
  EditedText text("FROM 'x' WHERE a", 10);
  text.Wrap("((", "))");
  text.Apply({{.span = {7, 3}, .text = "read(['/long/x'])"}});
  EXPECT_EQ(text.text(), "((FROM read(['/long/x']) WHERE a))");
  EXPECT_EQ(text.SourceOffset(0), std::nullopt);
  EXPECT_EQ(text.SourceOffset(2), 10U);
  EXPECT_EQ(text.SourceOffset(12), 15U);  // inside the replacement: its start
  EXPECT_EQ(text.SourceOffset(text.text().find("WHERE")), 19U);
  EXPECT_EQ(text.SourceOffset(text.text().size()), std::nullopt);
}

TEST(EditedText, AppliesSeveralAtOnceInAnyOrder) {
  EditedText text("abcdef", 0);
  text.Apply({{.span = {4, 1}, .text = "E"}, {.span = {1, 0}, .text = "++"}});
  EXPECT_EQ(text.text(), "a++bcdEf");
  EXPECT_EQ(text.SourceOffset(3), 1U);
  EXPECT_EQ(text.SourceOffset(7), 5U);
}

TEST(EditedText, MapsThroughReplacementsOfReplacements) {
  EditedText text("ON a USING b", 0);
  text.Apply({{.span = {4, 0}, .text = " IN ('x')"}});
  text.Apply({{.span = {20, 1}, .text = "c"}});
  EXPECT_EQ(text.text(), "ON a IN ('x') USING c");
  EXPECT_EQ(text.SourceOffset(14), 5U);
  EXPECT_EQ(text.SourceOffset(6), 4U);
}

}  // namespace
}  // namespace ducat::guard
