#include "mcp/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

struct Decoded {
  json::Document document;
  tl::expected<Message, RpcError> message = tl::unexpected(RpcError{});
};

Decoded Decode(std::string_view text) {
  Decoded decoded;
  const auto root = decoded.document.Parse(text);
  EXPECT_TRUE(root.has_value()) << text;
  if (root) decoded.message = DecodeMessage(*root, ScanId(text));
  return decoded;
}

TEST(DecodeMessage, KeepsTheIdAsItCame) {
  for (const std::string id :
       {R"("a")", "17", "-3", "0", "9223372036854775807", R"("\u0041\n")", R"("")"}) {
    const auto decoded = Decode(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"m"})");
    ASSERT_TRUE(decoded.message) << id;
    EXPECT_EQ(decoded.message->id, id);
    EXPECT_EQ(decoded.message->kind, Message::Kind::kRequest);
  }
}

TEST(DecodeMessage, RefusesWhatIsNoId) {
  for (const std::string id : {"null", "1.5", "1e3", "true", "[]", "{}"}) {
    const auto decoded = Decode(R"({"jsonrpc":"2.0","method":"m","id":)" + id + "}");
    ASSERT_FALSE(decoded.message) << id;
    EXPECT_EQ(decoded.message.error().code, rpc::kInvalidRequest) << id;
  }
}

TEST(DecodeMessage, LimitsTheIdTo256Bytes) {
  const std::string at_limit(kIdBytesMax, 'x');
  EXPECT_TRUE(Decode(R"({"jsonrpc":"2.0","method":"m","id":")" + at_limit + "\"}").message);
  EXPECT_FALSE(Decode(R"({"jsonrpc":"2.0","method":"m","id":")" + at_limit + "x\"}").message);
}

TEST(DecodeMessage, LimitsTheMethodTo128Bytes) {
  const std::string at_limit(kMethodBytesMax, 'm');
  EXPECT_TRUE(Decode(R"({"jsonrpc":"2.0","id":1,"method":")" + at_limit + "\"}").message);
  for (const std::string& method : {at_limit + "m", std::string()}) {
    EXPECT_FALSE(Decode(R"({"jsonrpc":"2.0","id":1,"method":")" + method + "\"}").message);
  }
}

TEST(DecodeMessage, TakesNamesExactly) {
  for (const std::string text :
       {R"({"jsonrpc":"2.0","id":1,"Method":"ping"})",
        R"({"jsonrpc":"2.0","id":1,"METHOD":"ping"})",
        R"({"JSONRPC":"2.0","id":1,"method":"ping"})",
        R"({"jsonrpc":"1.0","id":1,"method":"ping"})", R"({"jsonrpc":2.0,"id":1,"method":"ping"})",
        R"({"id":1,"method":"ping"})", R"({"jsonrpc":"2.0","id":1,"method":7})", R"(5)", R"("x")",
        R"(null)"}) {
    EXPECT_FALSE(Decode(text).message) << text;
  }
}

TEST(DecodeMessage, TellsRequestsNotificationsAndResponsesApart) {
  EXPECT_EQ(Decode(R"({"jsonrpc":"2.0","method":"m","x":1})").message->kind,
            Message::Kind::kNotification);
  EXPECT_EQ(Decode(R"({"jsonrpc":"2.0","id":1,"result":{}})").message->kind,
            Message::Kind::kResponse);
  EXPECT_EQ(Decode(R"({"jsonrpc":"2.0","id":1,"error":{}})").message->kind,
            Message::Kind::kResponse);
  EXPECT_EQ(Decode(R"({"jsonrpc":"2.0","id":1,"method":"m","result":{}})").message->kind,
            Message::Kind::kRequest);
}

TEST(DecodeMessage, SeesTheClaimWhateverItsValue) {
  const auto with = [](std::string_view meta) {
    return Decode(R"({"jsonrpc":"2.0","id":1,"method":"m","params":{"_meta":)" + std::string(meta) +
                  "}}");
  };
  EXPECT_TRUE(with(R"({"io.modelcontextprotocol/protocolVersion":null})").message->has_claim);
  EXPECT_FALSE(with(R"({"io.modelcontextprotocol/protocolversion":"x"})").message->has_claim);
  EXPECT_FALSE(with("null").message->has_claim);
  EXPECT_EQ(with("null").message->malformed_params, nullptr);
  EXPECT_NE(with("[]").message->malformed_params, nullptr);
}

TEST(DecodeMessage, NotesParamsThatAreNoObject) {
  EXPECT_NE(
      Decode(R"({"jsonrpc":"2.0","id":1,"method":"m","params":[]})").message->malformed_params,
      nullptr);
  EXPECT_EQ(
      Decode(R"({"jsonrpc":"2.0","id":1,"method":"m","params":null})").message->malformed_params,
      nullptr);
}

TEST(ScanId, FindsTheIdOfABrokenMessage) {
  EXPECT_EQ(ScanId(R"({"jsonrpc":"2.0","id":42,"method":)"), "42");
  EXPECT_EQ(ScanId(R"({"id":"x","method":"m","params":{"a":1,"a":2}})"), R"("x")");
  EXPECT_EQ(ScanId(R"({"params":{"id":1},"method":"m"})"), "") << "only the top level counts";
  EXPECT_EQ(ScanId(R"({"id":1.5})"), "");
  EXPECT_EQ(ScanId(R"({"id":18446744073709551615})"), "18446744073709551615");
  EXPECT_EQ(ScanId(R"({"id":18446744073709551616})"), "") << "the reply has to be readable";
  EXPECT_EQ(ScanId(R"({"id":null})"), "");
  EXPECT_EQ(ScanId("nonsense"), "");
}

TEST(IdKey, IsEqualForEqualIds) {
  json::Document a;
  json::Document b;
  EXPECT_EQ(IdKey(*a.Parse(R"("\u0041")")), IdKey(*b.Parse(R"("A")")));
  EXPECT_NE(IdKey(*a.Parse("1")), IdKey(*b.Parse(R"("1")")));
  EXPECT_EQ(IdKey(*a.Parse("null")), "");
}

}  // namespace
}  // namespace ducat::mcp
