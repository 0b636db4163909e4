#include "json/view.h"

#include <string>

#include "support/result_matchers.h"

namespace ducat::json {
namespace {

using testing::FailsWith;
using testing::IsOk;

TEST(View, ReadsAValueOfEachType) {
  Document document;
  const auto root = document.Parse(
      R"({"n":null,"b":true,"i":-7,"u":18446744073709551615,"d":2.5,"s":"a\u0000b","a":[1,[]],"o":{}})");
  ASSERT_THAT(root, IsOk());
  EXPECT_TRUE(root->Find("n")->IsNull());
  EXPECT_EQ(root->Find("b")->AsBoolean(), true);
  EXPECT_EQ(root->Find("i")->AsInteger(), -7);
  EXPECT_EQ(root->Find("u")->AsUnsigned(), 18446744073709551615U);
  EXPECT_EQ(root->Find("u")->AsInteger(), std::nullopt);
  EXPECT_EQ(root->Find("d")->AsDouble(), 2.5);
  EXPECT_EQ(root->Find("s")->AsString(), std::string_view("a\0b", 3));
  EXPECT_EQ(root->Find("a")->Size(), 2U);
  EXPECT_EQ(root->Find("o")->Size(), 0U);
  EXPECT_EQ(root->Size(), 8U);
  EXPECT_EQ(root->Find("absent"), std::nullopt);
}

}  // namespace
}  // namespace ducat::json
