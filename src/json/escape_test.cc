#include "json/escape.h"

#include <random>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "json/view.h"
#include "json/writer.h"
#include "support/result_matchers.h"

namespace ducat::json {
namespace {

using testing::IsOk;
using std::string_view_literals::operator""sv;
using Oracle = nlohmann::json;

std::string Escaped(std::string_view text) {
  std::string out;
  AppendEscaped(out, text);
  return out;
}

TEST(AppendEscaped, EscapesWhatJsonDemands) {
  EXPECT_EQ(Escaped("plain text/with 'quotes'"), "plain text/with 'quotes'");
  EXPECT_EQ(Escaped("\"\\\b\f\n\r\t"), "\\\"\\\\\\b\\f\\n\\r\\t");
  EXPECT_EQ(Escaped("\0\x01\x1F\x7F"sv), "\\u0000\\u0001\\u001f\x7F");
  EXPECT_EQ(Escaped("caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(Escaped("a\xFF"
                    "b\xE1\x80"
                    "c"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD"
            "c");
}

// Every byte at every offset around the 16-byte steps, against the oracle's writer.
TEST(AppendEscaped, AgreesWithTheOracleAtEveryOffset) {
  for (size_t size = 1; size < 40; ++size) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text(size, 'x');
      for (const size_t at : {size_t{0}, size / 2, size - 1}) {
        text[at] = static_cast<char>(byte);
        const std::string written = "\"" + Escaped(text) + "\"";
        ASSERT_EQ(Oracle::parse(written), Oracle(RepairUtf8(text))) << byte << " at " << at;
        text[at] = 'x';
      }
    }
  }
}

TEST(AppendEscaped, RandomBytesReadBackRepaired) {
  std::mt19937 random(9);
  const std::string_view lively(
      "\"\\\n\x01"
      "ab\x80\xA0\xC3\xA9\xE2\x82\xAC\xED\xF0\x9F\x98\xFF/",
      19);
  Document document;
  for (int round = 0; round < 50'000; ++round) {
    std::string text(random() % 60, ' ');
    for (char& c : text)
      c = lively[random() % lively.size()];
    const std::string written = "\"" + Escaped(text) + "\"";
    ASSERT_THAT(document.Parse(written), IsOk());
    EXPECT_EQ(document.root().AsString(), RepairUtf8(text));
    EXPECT_EQ(Unescape(Escaped(text)), RepairUtf8(text));
    EXPECT_EQ(written.find('\n'), std::string::npos);
  }
}

TEST(Unescape, GivesTheTextThatAnEscapedStringStandsFor) {
  EXPECT_EQ(Unescape(R"(a\"b\\c\/\b\f\n\r\t)"), "a\"b\\c/\b\f\n\r\t");
  EXPECT_EQ(Unescape(R"(\u0041\u00e9\u20AC\ud83d\ude00)"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(Unescape(R"(\u0000)"), "\0"sv);
  // Malformed escapes never come from our writers; they must not read past the end.
  EXPECT_EQ(Unescape(R"(\ud83d)"), kReplacementCharacter);
  EXPECT_EQ(Unescape(R"(\ud83d\n)"), std::string(kReplacementCharacter) + "\n");
  EXPECT_EQ(Unescape(R"(\u12)"), R"(\u12)");
  EXPECT_EQ(Unescape("x\\"), "x\\");
  EXPECT_EQ(Unescape(R"(\q)"), R"(\q)");
}

TEST(NextEscape, TakesOneSequence) {
  struct Case {
    std::string_view text;
    size_t length;
    char32_t code_point;
    bool valid;
  };
  const Case cases[] = {{"\\nx", 2, '\n', true},
                        {"\\u0041x", 6, 'A', true},
                        {"\\ud83d\\ude00x", 12, 0x1F600, true},
                        {"\\ud83dx", 6, 0xFFFD, false},
                        {"\\ude00", 6, 0xFFFD, false},
                        {"\\u00", 2, 0, false},
                        {"\\x41", 2, 0, false},
                        {"\\", 1, 0, false}};
  for (const Case& one : cases) {
    const EscapeStep step = NextEscape(one.text);
    EXPECT_EQ(step.length, one.length) << one.text;
    EXPECT_EQ(step.code_point, one.code_point) << one.text;
    EXPECT_EQ(step.valid, one.valid) << one.text;
  }
}

}  // namespace
}  // namespace ducat::json
