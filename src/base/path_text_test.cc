#include "base/path_text.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace ducat {
namespace {

TEST(PathText, ShowsUtf8AsItIs) {
  for (const char* path : {"", "orders.csv", "caf\xC3\xA9/\xE6\x95\xB0.csv", "a\\x41.csv"}) {
    EXPECT_EQ(ShownPath(path), path);
  }
}

TEST(PathText, EscapesStrayBytesAndBackslashes) {
  EXPECT_EQ(ShownPath("caf\xE9.csv"), "caf\\xE9.csv");
  EXPECT_EQ(ShownPath("\xC3\xA9\\\xFF"), "\xC3\xA9\\x5C\\xFF");
}

TEST(PathText, GivesTheBytesBack) {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) {
    all += static_cast<char>(byte);
  }
  const std::string shown = ShownPath(all);
  EXPECT_TRUE(IsValidUtf8(shown));
  EXPECT_EQ(PathOfShown(shown), all);
}

TEST(PathText, RefusesWhatIsNoEscape) {
  for (const char* shown : {"\\", "a\\x4", "\\xG0", "\\x4g", "\\n00", "\\x4\\"}) {
    EXPECT_EQ(PathOfShown(shown), std::nullopt) << shown;
  }
}

}  // namespace
}  // namespace ducat
