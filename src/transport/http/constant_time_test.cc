// Comparing a secret tells nothing about it (S-28): whichever byte is wrong, the same number of
// instructions is executed. That is exact, where a measured time would be noise.
#include <string>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "support/counting_test.h"
#include "support/scratch_folder.h"
#include "transport/http/token_file.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::CountInstructions;

struct ConstantTime : ::ducat::testing::CountingTest {};

TEST_F(ConstantTime, S28WhicheverByteIsWrong) {
  const std::string right(32, 'r');
  bool equal = true;
  const auto cost = [&](const std::string& other) {
    return CountInstructions([&] { equal = EqualInConstantTime(right, other); });
  };
  const uint64_t all_right = cost(std::string(right));
  EXPECT_TRUE(equal);
  for (size_t i = 0; i < right.size(); ++i) {
    std::string wrong = right;
    wrong[i] = 'w';
    EXPECT_EQ(cost(wrong), all_right) << "byte " << i;
    EXPECT_FALSE(equal);
  }
}

// The file knows a hash that differs from the token's in one digit: as near as one can guess.
TEST_F(ConstantTime, S28HoweverNearAGuessedTokenIs) {
  const testing::ScratchFolder folder;
  const std::string token = "dct_guessed";
  const auto cost = [&](size_t digit) {
    std::string hash = Hex(Sha256(token));
    hash[digit] = hash[digit] == '0' ? '1' : '0';
    folder.Write("tokens", "sha256:" + Hex(Sha256("other")) + " principal=a\nsha256:" + hash +
                               " principal=b\n");
    const auto file = TokenFile::Open(folder.string() + "/tokens");
    EXPECT_TRUE(file.has_value());
    return CountInstructions([&] { EXPECT_FALSE(file->Find(token, {}).has_value()); });
  };
  const uint64_t first = cost(0);
  EXPECT_GT(first, 0U);
  for (const size_t digit : {1U, 31U, 62U, 63U}) {
    EXPECT_EQ(cost(digit), first) << "digit " << digit;
  }
}

}  // namespace
}  // namespace ducat::transport
