#include "transport/line_framer.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Framed {
  std::vector<std::string> lines;
  int too_long = 0;
};

// The lines of `text` when it arrives in pieces of `chunk` bytes.
Framed Frame(std::string_view text, size_t chunk, size_t bytes_max = 100) {
  Framed framed;
  LineFramer framer(
      bytes_max, [&](std::string_view line) { framed.lines.emplace_back(line); },
      [&] {
        ++framed.too_long;
        framed.lines.emplace_back("<too long>");
      });
  for (size_t i = 0; i < text.size(); i += chunk)
    framer.Push(text.substr(i, chunk));
  framer.Finish();
  return framed;
}

TEST(LineFramer, CutsAtLfWhateverTheChunks) {
  for (size_t chunk = 1; chunk < 20; ++chunk) {
    EXPECT_THAT(Frame("one\ntwo\r\n\n\r\nthree\rx\nlast", chunk).lines,
                ElementsAre("one", "two", "three\rx", "last"))
        << chunk;
  }
}

TEST(LineFramer, SurvivesASplitInsideACharacter) {
  for (size_t chunk = 1; chunk < 8; ++chunk) {
    EXPECT_THAT(Frame("{\"a\":\"ü€🎉\"}\n", chunk).lines, ElementsAre("{\"a\":\"ü€🎉\"}"));
  }
}

TEST(LineFramer, HasNothingToSayAboutNothing) {
  EXPECT_THAT(Frame("", 1).lines, IsEmpty());
  EXPECT_THAT(Frame("\n\r\n\n", 1).lines, IsEmpty());
}

TEST(LineFramer, TakesALineAtTheLimitAndSkipsOnePastIt) {
  const std::string at(100, 'x');
  for (const size_t chunk : {1UL, 7UL, 100UL, 101UL, 102UL, 1'000UL}) {
    EXPECT_THAT(Frame(at + "\n" + at + "\r\nok\n" + at, chunk).lines, ElementsAre(at, at, "ok", at))
        << chunk;
    EXPECT_THAT(Frame("a\n" + at + "y\nb\n", chunk).lines, ElementsAre("a", "<too long>", "b"))
        << chunk;
    EXPECT_THAT(Frame(at + "\rz\nb\n" + at + "\r\r\nc\n", chunk).lines,
                ElementsAre("<too long>", "b", "<too long>", "c"))
        << chunk;
  }
}

TEST(LineFramer, ReportsAnEndlessLineOnce) {
  const Framed framed = Frame(std::string(10'000, 'x') + "\nok", 64);
  EXPECT_EQ(framed.too_long, 1);
  EXPECT_THAT(framed.lines, ElementsAre("<too long>", "ok"));
}

TEST(LineFramer, LetsAHandlerPushNothingBack) {
  // A line that is delivered from the middle of a chunk stays whole while it is handled.
  std::vector<std::string> lines;
  LineFramer framer(100, [&](std::string_view line) { lines.emplace_back(line); }, [] {});
  framer.Push("ab");
  framer.Push("c\nde\nf");
  framer.Push("g\n");
  EXPECT_THAT(lines, ElementsAre("abc", "de", "fg"));
}

}  // namespace
}  // namespace ducat::transport
