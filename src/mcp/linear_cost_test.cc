// No cursor, header value or URI makes work quadratic (S-16): counted in instructions, at 1x, 2x
// and 4x.
#include <string>

#include <gtest/gtest.h>

#include "mcp/cursor.h"
#include "mcp/mirror_headers.h"
#include "mcp/uri_template.h"
#include "support/counting_test.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::GrowthOf;
using ::ducat::testing::kLinear;
using ::ducat::testing::Repeated;

struct LinearCost : ::ducat::testing::CountingTest {};

TEST_F(LinearCost, S16Cursors) {
  CursorCodec codec;
  const auto text = [](size_t n) { return std::string(4 * n, 'A'); };
  const auto decode = [&](const std::string& cursor) {
    EXPECT_FALSE(codec.Decode(ListKind::kTools, cursor));
  };
  EXPECT_LT(GrowthOf(30, text, decode), kLinear);
}

TEST_F(LinearCost, S16MarkedHeaderValues) {
  const auto value = [](size_t n) { return "=?base64?" + Repeated(n, "QUJD") + "?="; };
  const auto decode = [](const std::string& text) { EXPECT_TRUE(DecodeHeaderValue(text)); };
  EXPECT_LT(GrowthOf(20, value, decode), kLinear);
}

TEST_F(LinearCost, S16UrisThatMatchATemplate) {
  const auto uri = [](size_t n) { return "t://" + Repeated(n, "%41b") + "/end"; };
  const auto match = [](const std::string& text) {
    EXPECT_TRUE(MatchTemplate("t://{name}/end", text));
  };
  EXPECT_LT(GrowthOf(20, uri, match), kLinear);
}

// What makes patterns with several stars slow: each part almost matches, everywhere.
TEST_F(LinearCost, S16UrisThatAlmostMatchATemplate) {
  const auto uri = [](size_t n) { return "t://" + Repeated(n, "aa-"); };
  const auto match = [](const std::string& text) {
    EXPECT_FALSE(MatchTemplate("t://{a}-a{b}-a{c}-x", text));
  };
  EXPECT_LT(GrowthOf(20, uri, match), kLinear);
}

TEST_F(LinearCost, S16TemplatesOfManyVariables) {
  const auto form = [](size_t n) { return Repeated(n, "{a}/"); };
  const auto match = [](const std::string& text) {
    EXPECT_TRUE(MatchTemplate(text, Repeated(text.size() / 4, "x/")));
  };
  EXPECT_LT(GrowthOf(10, form, match), kLinear);
}

}  // namespace
}  // namespace ducat::mcp
