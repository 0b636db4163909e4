#include "mcp/mirror_headers.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

std::string Decoded(std::string_view value) {
  return DecodeHeaderValue(value).value_or("(malformed)");
}

TEST(HeaderValue, StandsForItself) {
  EXPECT_EQ(Decoded("  echo "), "echo");
  EXPECT_EQ(Decoded(""), "");
  EXPECT_EQ(Decoded("=?base64?ZWNobw=="), "=?base64?ZWNobw==");
  EXPECT_EQ(Decoded("ZWNobw==?="), "ZWNobw==?=");
  EXPECT_EQ(Decoded("=?BASE64?ZWNobw==?="), "=?BASE64?ZWNobw==?=");
  EXPECT_EQ(Decoded("=?base64?="), "=?base64?=");
}

TEST(HeaderValue, IsDecodedBetweenItsMarks) {
  EXPECT_EQ(Decoded("=?base64?ZWNobw==?="), "echo");
  EXPECT_EQ(Decoded("=?base64?"
                    "?="),
            "");
  EXPECT_EQ(Decoded("=?base64?w6TDtsO8?="), "äöü");
  EXPECT_EQ(Decoded(" =?base64?ICBhICA=?= "), "  a  ");
  EXPECT_EQ(Decoded("=?base64?Pz8/?="), "???");
}

TEST(HeaderValue, IsMalformedUnlessCanonical) {
  for (const char* value : {"=?base64?ZWNobw?=", "=?base64?ZWNobw=?=", "=?base64?ZWNobx==?=",
                            "=?base64?ZWNo bw==?=", "=?base64?Pz8_?=", "=?base64?====?=",
                            "=?base64?/w==?=", "=?base64?ZWNobw===?=", "=?base64?a?="}) {
    EXPECT_EQ(Decoded(value), "(malformed)") << value;
  }
}

}  // namespace
}  // namespace ducat::mcp
