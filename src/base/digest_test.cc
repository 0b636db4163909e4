#include "base/digest.h"

#include <gtest/gtest.h>

namespace ducat {
namespace {

// FIPS 180-4 examples and RFC 4231 test cases.
TEST(Sha256, GivesThePublishedValues) {
  EXPECT_EQ(Hex(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(HmacSha256, GivesThePublishedValues) {
  EXPECT_EQ(Hex(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(HmacSha256(std::string(20, '\x0b'), "Hi There")),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(Hex(HmacSha256(std::string(131, '\xaa'),
                           "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// A key of a whole block is used as it is, one byte more is hashed first.
TEST(HmacSha256, KnowsTheBlockSize) {
  EXPECT_EQ(Hex(HmacSha256(std::string(64, 'k'), "m")),
            "3b7a8d453e76edb519238a515105a57508d0f169f480ebeee120a9e7803289fa");
  EXPECT_EQ(Hex(HmacSha256(std::string(65, 'k'), "m")),
            "c2d7d4c2256ddb097409ec0c67e1d58fa1a007fc6932cac0d892a525d08af7cc");
}

TEST(EqualInConstantTime, ComparesContentAndLength) {
  EXPECT_TRUE(EqualInConstantTime("", ""));
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualInConstantTime("abc", "abcd"));
}

}  // namespace
}  // namespace ducat
