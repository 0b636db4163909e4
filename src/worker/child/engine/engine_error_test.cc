#include "worker/child/engine/engine_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(EngineErrorTest, ReadsTheJsonForm) {
  const EngineError error = ParseEngineError(
      R"({"exception_type":"Binder","exception_message":"no \"abcd\"","candidates":"xabcd,abce",)"
      R"("position":"7","error_subtype":"COLUMN_NOT_FOUND","name":"abcd"})");
  EXPECT_EQ(error.type, "Binder");
  EXPECT_EQ(error.subtype, "COLUMN_NOT_FOUND");
  EXPECT_EQ(error.message, "no \"abcd\"");
  EXPECT_EQ(error.position, 7U);
  EXPECT_EQ(error.name, "abcd");
  EXPECT_THAT(error.candidates, ElementsAre("xabcd", "abce"));
}

TEST(EngineErrorTest, ReadsTheFormWithAPrefix) {
  const EngineError error = ParseEngineError(
      R"(Parser Error: {"exception_type":"Parser","exception_message":"syntax error",)"
      R"("position":"3"})");
  EXPECT_EQ(error.type, "Parser");
  EXPECT_EQ(error.message, "syntax error");
  EXPECT_EQ(error.position, 3U);
}

TEST(EngineErrorTest, KeepsPlainText) {
  const EngineError error = ParseEngineError("Invalid Input Error: Values {were} not provided");
  EXPECT_EQ(error.type, "Invalid Input");
  EXPECT_EQ(error.message, "Values {were} not provided");
  EXPECT_FALSE(error.position.has_value());
  EXPECT_THAT(error.candidates, IsEmpty());
  EXPECT_EQ(ParseEngineError("odd").type, "Unknown");
  EXPECT_EQ(ParseEngineError("").message, "");
}

TEST(EngineErrorTest, NoPositionAndBrokenJson) {
  EXPECT_FALSE(
      ParseEngineError(
          R"({"exception_type":"X","exception_message":"m","position":"18446744073709551615"})")
          .position.has_value());
  EXPECT_EQ(ParseEngineError(R"({"exception_type":"X")").message, R"({"exception_type":"X")");
  const std::string invalid = "{\"exception_type\":\"X\",\"exception_message\":\"\xFF\"}";
  EXPECT_EQ(ParseEngineError(invalid).message, invalid);
}

TEST(EngineErrorTest, SignaturesAreOneCandidateEach) {
  EXPECT_THAT(ParseEngineError(R"j({"exception_message":"m","candidates":"f(A, B) -> C,g(D)"})j")
                  .candidates,
              ElementsAre("f(A, B) -> C", "g(D)"));
}

}  // namespace
}  // namespace ducat::engine
