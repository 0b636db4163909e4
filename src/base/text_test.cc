#include "base/text.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>

namespace ducat {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kFffd = kReplacementCharacter;

std::string Times(size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i)
    out += kFffd;
  return out;
}

TEST(Utf8, AcceptsTheEdgesOfEveryLength) {
  for (const std::string_view text :
       {""sv, "a"sv, "\0"sv, "\x7F"sv, "\xC2\x80"sv, "\xDF\xBF"sv, "\xE0\xA0\x80"sv,
        "\xED\x9F\xBF"sv, "\xEE\x80\x80"sv, "\xEF\xBF\xBF"sv, "\xF0\x90\x80\x80"sv,
        "\xF4\x8F\xBF\xBF"sv}) {
    EXPECT_TRUE(IsValidUtf8(text)) << ::testing::PrintToString(text);
    EXPECT_EQ(RepairUtf8(text), text);
  }
}

// The maximal subpart of an ill-formed sequence becomes one U+FFFD (Unicode 15, section 3.9).
TEST(Utf8, RepairsByMaximalSubparts) {
  const std::pair<std::string_view, size_t> cases[] = {
      {"\x80", 1},                              // stray continuation
      {"\xC0\xAF", 2},                          // overlong: neither byte can start or follow
      {"\xC1\x80", 2},                          //
      {"\xE0\x80\xAF", 3},                      // overlong
      {"\xF0\x80\x80\xAF", 4},                  // overlong
      {"\xED\xA0\x80", 3},                      // surrogate
      {"\xED\xBF\xBF", 3},                      // surrogate
      {"\xF4\x90\x80\x80", 4},                  // beyond U+10FFFF
      {"\xF5\x80\x80\x80", 4},                  //
      {"\xFF", 1},                              //
      {"\xC2", 1},                              // cut off
      {"\xE1\x80", 1},                          // cut off: one subpart
      {"\xF1\x80\x80", 1},                      // cut off: one subpart
      {"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF", 4},  // the standard's own example, without its ASCII
  };
  for (const auto& [text, count] : cases) {
    EXPECT_FALSE(IsValidUtf8(text)) << ::testing::PrintToString(text);
    EXPECT_EQ(RepairUtf8(text), Times(count)) << ::testing::PrintToString(text);
  }
  EXPECT_EQ(RepairUtf8("a\xE1\x80"
                       "b\xC3\xA9\xFF"),
            "a" + Times(1) + "b\xC3\xA9" + Times(1));
}

TEST(Utf8, AgreesWithADecoderOnRandomBytes) {
  std::mt19937 random(7);
  const std::string_view lively("\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC2\xE0\xED\xEE\xF0\xF4\xFF",
                                16);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 24, ' ');
    for (char& c : text)
      c = lively[random() % lively.size()];
    std::string rebuilt;
    bool valid = true;
    for (std::string_view rest = text; !rest.empty();) {
      const Utf8Step step = NextUtf8(rest);
      ASSERT_GE(step.length, 1);
      ASSERT_LE(step.length, rest.size());
      valid = valid && step.valid;
      rebuilt += step.valid ? rest.substr(0, step.length) : kFffd;
      rest.remove_prefix(step.length);
    }
    EXPECT_EQ(IsValidUtf8(text), valid);
    EXPECT_EQ(RepairUtf8(text), rebuilt);
    EXPECT_TRUE(IsValidUtf8(rebuilt));
  }
}

TEST(Utf8, FindsTheFirstByteBeyondAsciiAtEveryOffset) {
  for (size_t size = 0; size < 70; ++size) {
    const std::string plain(size, 'x');
    EXPECT_EQ(AsciiPrefix(plain), size);
    for (size_t at = 0; at < size; ++at) {
      std::string text = plain;
      text[at] = '\xC3';
      EXPECT_EQ(AsciiPrefix(text), at);
      EXPECT_FALSE(IsValidUtf8(text));
    }
  }
}

TEST(Utf8, EncodesCodePoints) {
  std::string out;
  for (const char32_t c : {U'A', U'\u00E9', U'\u20AC', U'\U0001F600'})
    AppendUtf8(out, c);
  EXPECT_EQ(out, "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  std::string repaired;
  AppendUtf8(repaired, 0xD800);
  AppendUtf8(repaired, 0x110000);
  EXPECT_EQ(repaired, Times(2));
}

TEST(Utf8, CountsAndCutsByCharacters) {
  const std::string_view text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
  EXPECT_EQ(CountCodePoints(text), 5U);
  EXPECT_EQ(FirstCodePoints(text, 0), "");
  EXPECT_EQ(FirstCodePoints(text, 3), "a\xC3\xA9\xE2\x82\xAC");
  EXPECT_EQ(FirstCodePoints(text, 9), text);
  // Cuts inside a character go back to its start.
  const size_t ends[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (size_t bytes = 0; bytes < std::size(ends); ++bytes) {
    EXPECT_EQ(ClipUtf8(text, bytes).size(), ends[bytes]) << bytes;
  }
}

TEST(Ascii, IgnoresCaseOfLettersOnly) {
  EXPECT_TRUE(EqualsIgnoringCase("Trade_2024", "tRADE_2024"));
  EXPECT_FALSE(EqualsIgnoringCase("[", "{"));
  EXPECT_FALSE(EqualsIgnoringCase("a", "ab"));
  EXPECT_EQ(AsciiLower("ABC\xC3\x89z"), "abc\xC3\x89z");
  EXPECT_EQ(AsciiUpper("abc[z"), "ABC[Z");
}

TEST(Ascii, TrimsBlanksAtBothEnds) {
  EXPECT_EQ(Trim(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(Trim("   "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(Base64Url, EncodesTheRfcVectors) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xFB\xFF\xFE", "-__-"}};
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(Base64UrlEncode(bytes), text);
    EXPECT_EQ(Base64UrlDecode(text), bytes);
  }
}

TEST(Base64Url, RefusesEverythingButTheCanonicalForm) {
  for (const std::string_view text :
       {"Z"sv, "Zg=="sv, "Zg="sv, "Zh"sv, "Zm9"sv, "Zm9v "sv, " Zm9v"sv, "Zm9v\n"sv, "+___"sv,
        "/___"sv, "Zm9vZ"sv, "Zm\0v"sv, "Z\xC3\xA9v"sv}) {
    EXPECT_EQ(Base64UrlDecode(text), std::nullopt) << text;
  }
}

TEST(Base64Url, RoundTripsEveryLength) {
  std::mt19937 random(3);
  for (size_t size = 0; size < 200; ++size) {
    std::string bytes(size, ' ');
    for (char& c : bytes)
      c = static_cast<char>(random());
    EXPECT_EQ(Base64UrlDecode(Base64UrlEncode(bytes)), bytes);
  }
}

TEST(WithThousands, GroupsByThree) {
  EXPECT_EQ(WithThousands(int64_t{0}), "0");
  EXPECT_EQ(WithThousands(int64_t{999}), "999");
  EXPECT_EQ(WithThousands(int64_t{1000}), "1,000");
  EXPECT_EQ(WithThousands(int64_t{-1234567}), "-1,234,567");
  EXPECT_EQ(WithThousands(std::numeric_limits<int64_t>::min()), "-9,223,372,036,854,775,808");
  EXPECT_EQ(WithThousands(~uint64_t{0}), "18,446,744,073,709,551,615");
}

TEST(Iso8601, FormatsUtc) {
  using std::chrono::sys_days;
  using std::chrono_literals::operator""h;
  using std::chrono_literals::operator""min;
  using std::chrono_literals::operator""ms;
  using std::chrono_literals::operator""s;
  using std::chrono_literals::operator""y;
  using std::chrono::February;
  using std::chrono::March;
  const WallTime epoch{};
  EXPECT_EQ(Iso8601Utc(epoch), "1970-01-01T00:00:00Z");
  const WallTime leap = sys_days{2024y / February / 29} + 23h + 59min + 59s + 7ms;
  EXPECT_EQ(Iso8601Utc(leap), "2024-02-29T23:59:59Z");
  EXPECT_EQ(Iso8601UtcMillis(leap), "2024-02-29T23:59:59.007Z");
  EXPECT_EQ(Iso8601UtcMillis(epoch - 1ms), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(Iso8601Utc(sys_days{1700y / March / 4}), "1700-03-04T00:00:00Z");
}

}  // namespace
}  // namespace ducat
