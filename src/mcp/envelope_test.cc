#include "mcp/envelope.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

TEST(ProtocolLogLevel, IsOneOfEightExactNames) {
  EXPECT_EQ(ParseProtocolLogLevel("debug"), LogLevel::kDebug);
  EXPECT_EQ(ParseProtocolLogLevel("emergency"), LogLevel::kEmergency);
  for (const std::string_view text : {"", "warn", "silent", "Debug", "trace"}) {
    EXPECT_EQ(ParseProtocolLogLevel(text), std::nullopt) << text;
  }
}

TEST(LegacyEnvelope, HasAProgressTokenAlone) {
  json::Document document;
  Message message;
  message.meta = *document.Parse(R"({"progressToken":"t","io.modelcontextprotocol/logLevel":"x"})");
  const auto envelope = ReadLegacyEnvelope(message);
  ASSERT_TRUE(envelope);
  EXPECT_EQ(envelope->progress_token, R"("t")");
  EXPECT_EQ(envelope->log_level, std::nullopt);
  json::Document other;
  message.meta = *other.Parse(R"({"progressToken":{}})");
  EXPECT_FALSE(ReadLegacyEnvelope(message));
}

}  // namespace
}  // namespace ducat::mcp
