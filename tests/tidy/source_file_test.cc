#include "tidy/source_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::tidy {
namespace {

using ::testing::ElementsAre;

TEST(CodeOnly, BlanksCommentsAndKeepsLines) {
  EXPECT_EQ(CodeOnly("a; // new\nb; /* x\ny */ c;"), "a;       \nb;     \n     c;");
}

TEST(CodeOnly, BlanksLiterals) {
  EXPECT_EQ(CodeOnly("f(\"a\\\"new\", 'x');"), "f(        ,    );");
  EXPECT_EQ(CodeOnly("f(R\"x(a)\" new)x\");"), "f(              );");
}

TEST(CodeOnly, DigitSeparatorsAreNoLiterals) {
  EXPECT_EQ(CodeOnly("1'000 + x"), "1'000 + x");
}

TEST(CodeOnly, AnUnfinishedLiteralEndsWithItsLine) {
  EXPECT_EQ(CodeOnly("#error 'tis\nnew X"), "#error     \nnew X");
}

TEST(SourceFileNames, SplitIntoFolderAndName) {
  EXPECT_EQ(FolderOf("src/json/view.h"), "src/json");
  EXPECT_EQ(FolderOf("README.md"), "");
  EXPECT_EQ(FileNameOf("src/json/view.h"), "view.h");
  EXPECT_TRUE(IsHeader("a/b.h"));
  EXPECT_FALSE(IsCpp("a/b.md"));
}

TEST(SourceFileLines, KnowTheirNumbers) {
  EXPECT_THAT(Lines("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_EQ(LineOf("a\n\nb", 3), 3U);
}

}  // namespace
}  // namespace ducat::tidy
