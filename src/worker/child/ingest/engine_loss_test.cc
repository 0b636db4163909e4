#include "worker/child/ingest/engine_loss.h"

#include <string>

#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

// 30,000 rows of one kind, then one that the engine's own types would not hold.
class LateValueTest : public IngestFixture {
 protected:
  std::string LoadLate(std::string_view early, std::string_view late) {
    std::string text = "x\n";
    for (int i = 0; i < 30'000; ++i) {
      text.append(early).append("\n");
    }
    return LoadCsv(text.append(late).append("\n"));
  }
  [[nodiscard]] std::string Message() const {
    return table_->findings.empty() ? "" : table_->findings[0].message;
  }
};

TEST_F(LateValueTest, AreWhatTheEngineWouldLose) {
  EXPECT_EQ(LoadLate("1", "12.75"), "x DOUBLE");
  EXPECT_EQ(Findings(), "engine_would_lose(x)=1");
  EXPECT_EQ(Message(),
            "Kept exactly; the engine's own guess is BIGINT: line 30002: \"12.75\" as 13");
  EXPECT_EQ(LoadLate("2024-01-01", "2024-01-02 13:45:00"), "x TIMESTAMP");
  EXPECT_EQ(Message(),
            "Kept exactly; the engine's own guess is DATE: line 30002: \"2024-01-02 13:45:00\" as "
            "2024-01-02");
  EXPECT_EQ(LoadLate("1", "99999999999999999999"), "x HUGEINT");
  EXPECT_EQ(Message(),
            "Kept exactly; the engine's own guess is BIGINT: line 30002: \"99999999999999999999\" "
            "as nothing");
  EXPECT_EQ(LoadLate("1", "abc"), "x VARCHAR");
  EXPECT_EQ(Findings(), "engine_would_lose(x)=1");
}

TEST_F(LateValueTest, ThatFitAreNoLoss) {
  for (const char* late : {"2", "9007199254740993", ""}) {
    EXPECT_EQ(LoadLate("1", late), "x BIGINT");
    EXPECT_EQ(Findings(), "") << late;
  }
  LoadLate("a", "1");
  EXPECT_EQ(Findings(), "");
  LoadLate("1", "007");
  EXPECT_EQ(Findings(), "code_like(x)=1") << "its own finding says it";
}

TEST_F(LateValueTest, DigitsAreLostInAnyRow) {
  EXPECT_EQ(LoadCsv("x\n1\n99999999999999999999\n"), "x HUGEINT");
  EXPECT_EQ(Findings(), "engine_would_lose(x)=1");
  EXPECT_EQ(Message(),
            "Kept exactly; the engine's own guess is DOUBLE: line 3: \"99999999999999999999\" as "
            "1e+20");
  EXPECT_EQ(LoadCsv("x\n1\n2\n"), "x BIGINT");
  EXPECT_EQ(Findings(), "");
}

}  // namespace
}  // namespace ducat::ingest
