// What a chunked body may look like (RFC 9112, 7.1; S-06), and how much of it may be no body.
#include "transport/http/chunked_body.h"

#include <ostream>
#include <string>

#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

// "body" for a body that is over, "(more)" for one that is not; else the status.
std::string Read(std::string_view bytes, const HttpLimits& limits = {}) {
  ChunkedBody chunks(limits);
  size_t taken = 0;
  if (const auto fault = chunks.Read(bytes, taken)) return std::to_string(fault->status);
  EXPECT_TRUE(chunks.done() || taken == bytes.size());
  return chunks.done() ? chunks.body() : "(more)";
}

TEST(ChunkedBody, ReadsSizesInHexadecimalOfAnyCase) {
  EXPECT_EQ(Read("0\r\n\r\n"), "");
  EXPECT_EQ(Read("5\r\nhello\r\n0\r\n\r\n"), "hello");
  EXPECT_EQ(Read("a\r\n0123456789\r\nB\r\n0123456789x\r\n000\r\n\r\n"), "01234567890123456789x");
  EXPECT_EQ(Read("2\r\n\r\n\r\n0\r\n\r\n"), "\r\n");
}

TEST(ChunkedBody, DropsExtensionsAndTrailers) {
  EXPECT_EQ(Read("1;a=b;c=\"d e\"\r\nx\r\n1 ;e\r\ny\r\n0;z\r\nX: 1\r\nY:\r\n\r\n"), "xy");
}

TEST(ChunkedBody, TakesNothingBehindItsEnd) {
  const HttpLimits limits;
  ChunkedBody chunks(limits);
  size_t taken = 0;
  EXPECT_FALSE(chunks.Read("1\r\nx\r\n0\r\n\r\nGET /", taken));
  EXPECT_EQ(taken, 11U);
  EXPECT_FALSE(chunks.Read("GET /", taken));
  EXPECT_EQ(taken, 0U);
}

struct Case {
  std::string name, bytes;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}
class ChunkSmuggling : public ::testing::TestWithParam<Case> {};

TEST_P(ChunkSmuggling, S06IsRefused) {
  EXPECT_EQ(Read(GetParam().bytes), "400");
}

INSTANTIATE_TEST_SUITE_P(
    ChunkedBody, ChunkSmuggling,
    ::testing::Values(Case{"LfEndsSize", "5\nhello\r\n0\r\n\r\n"},
                      Case{"LfEndsExtension", "5;a\nhello\r\n0\r\n\r\n"},
                      Case{"CrInExtension", "5;a\rb\r\nhello"},
                      Case{"NulInExtension", std::string("5;\0\r\n", 5)},
                      Case{"LfEndsData", "5\r\nhello\n0\r\n\r\n"},
                      Case{"CrAloneEndsData", "5\r\nhello\r0\r\n\r\n"},
                      Case{"LongerThanItsSize", "5\r\nhello!\r\n"},
                      Case{"LfEndsLastChunk", "0\n\r\n"}, Case{"LfEndsBody", "0\r\n\n"},
                      Case{"LfEndsTrailer", "0\r\nX: y\n\r\n"},
                      Case{"FoldedTrailer", "0\r\nX: y\r\n z\r\n\r\n"},
                      Case{"TrailerWithoutColon", "0\r\nGET / HTTP/1.1\r\n\r\n"},
                      Case{"BlankBeforeColon", "0\r\nX : y\r\n\r\n"}, Case{"NoSize", "\r\nhello"},
                      Case{"ExtensionWithoutSize", ";a\r\n"}, Case{"Sign", "+5\r\nhello"},
                      Case{"Minus", "-5\r\nhello"}, Case{"Prefix", "0x5\r\nhello"},
                      Case{"BlankBefore", " 5\r\nhello"}, Case{"BlankBehind", "5 \r\nhello"},
                      Case{"TextBehind", "5 hello\r\n"},
                      Case{"SizeOfManyDigits", "00000000000000005\r\nhello"},
                      Case{"SizeThatWraps", "10000000000000005\r\nhello"}),
    [](const auto& info) { return info.param.name; });

TEST(ChunkedBody, LimitOfTheBody) {
  const HttpLimits limits{.body_bytes_max = 10};
  EXPECT_EQ(Read("6\r\n012345\r\n4\r\n6789\r\n0\r\n\r\n", limits), "0123456789");
  EXPECT_EQ(Read("6\r\n012345\r\n5\r\n", limits), "413") << "before its bytes come";
  EXPECT_EQ(Read("ffffffffffffffff\r\n", limits), "413");
}

// One extension, many small ones, or one that never ends: they count together.
TEST(ChunkedBody, LimitOfExtensionsAndTrailers) {
  const HttpLimits limits{.head_bytes_max = 40};
  EXPECT_EQ(Read("1;" + std::string(38, 'e') + "\r\nx\r\n", limits), "(more)");
  EXPECT_EQ(Read("1;" + std::string(39, 'e'), limits), "400");
  std::string many;
  for (int i = 0; i < 4; ++i) {
    many += "1;23456789\r\nx\r\n";  // nine bytes of extension
  }
  EXPECT_EQ(Read(many + "0\r\n\r\n", limits), "xxxx");
  EXPECT_EQ(Read(many + "1;234\r\n", limits), "400");
  EXPECT_EQ(Read(many + "0\r\nX: 1\r\n\r\n", limits), "xxxx");
  EXPECT_EQ(Read(many + "0\r\nX: 12\r\n\r\n", limits), "400");
}

TEST(ChunkedBody, LimitOfTrailerLines) {
  const HttpLimits limits{.header_lines_max = 2};
  EXPECT_EQ(Read("0\r\nA: 1\r\nB: 2\r\n\r\n", limits), "");
  EXPECT_EQ(Read("0\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n", limits), "400");
}

}  // namespace
}  // namespace ducat::transport
