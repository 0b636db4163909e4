#include "worker/child/ingest/file_failure.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::ingest {
namespace {

Error FailureOf(std::string type, std::string message) {
  engine::EngineError error;
  error.type = std::move(type);
  error.message = std::move(message);
  return FileFailure(error, {.path = "/srv/data/a.csv", .name = "a.csv", .hidden = {"/srv/data"}});
}

TEST(FileFailureTest, ReasonsOfTheCatalog) {
  EXPECT_EQ(FailureOf("Interrupt", "Interrupted!").reason, "query_timeout");
  EXPECT_EQ(FailureOf("Out of Memory", "x").reason, "memory_limit");
  EXPECT_EQ(FailureOf("IO", "No space left on device").reason, "temp_limit");
  EXPECT_EQ(FailureOf("Invalid Input", "No magic bytes found at end of file").reason, "corrupt");
  EXPECT_EQ(FailureOf("Invalid Input", "something new").reason, "engine_error");
  EXPECT_EQ(FailureOf("INTERNAL", "bad cast in /srv/data/a.csv").message,
            "The engine failed on this file: bad cast in a.csv");
}

TEST(FileFailureTest, MessagesKeepThePlaceAndLosePathsDataAndAdvice) {
  const Error error =
      FailureOf("Invalid Input",
                "CSV Error on Line: 7\nOriginal Line: secret,data\nUnterminated quote"
                " in /srv/data/a.csv, also /srv/data/b.csv\nPossible fixes: x\n");
  EXPECT_EQ(error.message, "CSV Error on Line: 7 Unterminated quote in a.csv, also /b.csv");
}

TEST(FileFailureTest, SomeErrorsEndTheSearchForALayout) {
  engine::EngineError error;
  error.type = "Interrupt";
  EXPECT_TRUE(IsFinal(error));
  error.type = "Invalid Input";
  EXPECT_FALSE(IsFinal(error));
  error.message = "Maximum line size of 16777216 bytes exceeded";
  EXPECT_TRUE(IsFinal(error));
}

}  // namespace
}  // namespace ducat::ingest
