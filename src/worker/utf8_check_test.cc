#include "worker/utf8_check.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "base/text.h"

namespace ducat::worker {
namespace {

std::array<char, kUtf8BlockBytes> Block(const std::string& text, size_t at) {
  std::array<char, kUtf8BlockBytes> block;
  block.fill(' ');
  text.copy(block.data() + at, text.size());
  return block;
}

bool IsValidByBytes(std::string_view text) {
  Utf8Check check;
  return check.Feed(text) && check.complete();
}

TEST(Utf8Check, EveryCharacterPassesAndEverySurrogateFails) {
  for (char32_t code = 0; code <= 0x110000; code += code < 0x3000 || code > 0xD000 ? 1 : 37) {
    std::string text;
    if (code >= 0xD800 && code <= 0xDFFF) {
      text = {static_cast<char>(0xE0 | (code >> 12)),
              static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
              static_cast<char>(0x80 | (code & 0x3F))};
    } else if (code == 0x110000) {
      text = "\xF4\x90\x80\x80";
    } else {
      AppendUtf8(text, code);
    }
    const bool expected = IsValidUtf8(text);
    ASSERT_EQ(IsValidByBytes(text), expected) << static_cast<uint32_t>(code);
    ASSERT_EQ(IsWholeUtf8(Block(text, code % 61)), expected) << static_cast<uint32_t>(code);
  }
}

TEST(Utf8Check, EveryPairOfBytesIsJudgedAsTheReferenceDoes) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      for (const char* tail : {"", "\x80", "\x80\x80", "\xBF\xBF"}) {
        const std::string text{static_cast<char>(first), static_cast<char>(second)};
        const bool expected = IsValidUtf8(text + tail);
        ASSERT_EQ(IsValidByBytes(text + tail), expected) << first << " " << second;
        ASSERT_EQ(IsWholeUtf8(Block(text + tail, 14)), expected) << first << " " << second;
      }
    }
  }
}

TEST(Utf8Check, RandomBlocksAreJudgedAsTheReferenceDoes) {
  std::mt19937 random(20240229);
  int valid = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::string text;
    while (text.size() < 60)
      AppendUtf8(text, random() % 4 == 0 ? random() % 0xD000 : random() % 0x80);
    text.resize(kUtf8BlockBytes, ' ');
    if (round % 2 == 0) text[random() % text.size()] = static_cast<char>(random());
    const bool expected = IsValidUtf8(text);
    valid += expected ? 1 : 0;
    ASSERT_EQ(IsWholeUtf8(Block(text, 0)), expected);
    ASSERT_EQ(IsValidByBytes(text), expected);
  }
  EXPECT_GT(valid, 50'000);
  EXPECT_LT(valid, 90'000);
}

TEST(Utf8Check, ABlockThatEndsInsideACharacterIsNotWhole) {
  const std::string text = "\xF0\x9F\x98\x80";
  for (size_t kept = 1; kept <= 4; ++kept) {
    EXPECT_EQ(IsWholeUtf8(Block(text.substr(0, kept), kUtf8BlockBytes - kept)), kept == 4);
  }
}

}  // namespace
}  // namespace ducat::worker
