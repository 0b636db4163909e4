#include "mcp/request_state.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

RequestState Some() {
  return {.principal = "alice \"a\"",
          .method = "tools/call",
          .params_digest = "00ff",
          .expires_s = 1'790'000'000,
          .round = 2,
          .told = {{"name", R"({"action":"accept","content":{"name":"Ada"}})"}}};
}

TEST(RequestState, ComesBackAsItWent) {
  RequestStateCodec codec("0123456789abcdef0123456789abcdef");
  const std::string text = codec.Encode(Some());
  EXPECT_TRUE(text.starts_with("v1."));
  const auto back = codec.Decode(text);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->principal, Some().principal);
  EXPECT_EQ(back->method, Some().method);
  EXPECT_EQ(back->params_digest, Some().params_digest);
  EXPECT_EQ(back->expires_s, Some().expires_s);
  EXPECT_EQ(back->round, Some().round);
  EXPECT_EQ(back->told, Some().told);
}

TEST(RequestState, S10IsRefusedWithAnyBitFlipped) {
  RequestStateCodec codec("");
  const std::string text = codec.Encode(Some());
  for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string changed = text;
    changed[bit / 8] =
        static_cast<char>(static_cast<unsigned char>(changed[bit / 8]) ^ 1U << bit % 8);
    EXPECT_FALSE(codec.Decode(changed).has_value()) << "bit " << bit;
  }
  EXPECT_FALSE(codec.Decode(text + "A").has_value());
  EXPECT_FALSE(codec.Decode(text + "-TAMPERED").has_value());
  EXPECT_FALSE(codec.Decode(text.substr(0, text.size() - 1)).has_value());
  EXPECT_FALSE(codec.Decode("").has_value());
  EXPECT_FALSE(codec.Decode("v1..").has_value());
}

TEST(RequestState, IsSharedByThoseWithTheSameKey) {
  RequestStateCodec one("the same key of thirty-two bytes");
  RequestStateCodec two("the same key of thirty-two bytes");
  RequestStateCodec other("another key, of thirty-two bytes");
  RequestStateCodec random("");
  const std::string text = one.Encode(Some());
  EXPECT_TRUE(two.Decode(text).has_value());
  EXPECT_FALSE(other.Decode(text).has_value());
  EXPECT_FALSE(random.Decode(text).has_value());
}

}  // namespace
}  // namespace ducat::mcp
