// A worker that has been taken over: whatever it writes, the pool drops it and the next call works.

#include <string>
#include <utility>
#include <vector>

#include "support/result_matchers.h"
#include "worker/frame.h"
#include "worker/pool_fixture.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

class ForgedFramesTest : public PoolFixture {
 protected:
  // Writes the frame in the name of the running job, unless it names another.
  Result<JobResult> RunRaw(const std::string& members) {
    return RunNamed("raw", R"({"job":)" + std::to_string(jobs_ + 1) + "," + members + "}");
  }
  void ExpectDropped(const std::string& members) {
    const Result<JobResult> result = RunRaw(members);
    ASSERT_THAT(result, FailsWith("worker_crashed")) << members;
    EXPECT_EQ(result.error().data, R"("detail":"frame")") << members;
    ExpectNextCallWorks();
  }
};

TEST_F(ForgedFramesTest, WellFormedFramesPass) {
  EXPECT_THAT(RunRaw(R"("kind":7,"text":"[1,\"a\"]")"), IsOk());
  EXPECT_THAT(RunRaw(R"("kind":10,"text":"a\\n\\\"b")"), IsOk());
  EXPECT_THAT(RunRaw(R"("kind":6,"text":"{}")"), IsOk());
  EXPECT_THAT(RunRaw(R"("kind":5,"text":"{\"done\":1,\"total\":2,\"text\":\"x\"}")"), IsOk());
}

TEST_F(ForgedFramesTest, KindsThatDoNotFitAreRefused) {
  for (const int kind : {0, 1, 2, 3, 4, 9, 11, 12, 65535}) {
    ExpectDropped(R"("kind":)" + std::to_string(kind));
  }
}

TEST_F(ForgedFramesTest, SizesAreBoundedByTheHeaderAlone) {
  ExpectDropped(R"("kind":7,"bytes":4294967295)");
  ExpectDropped(R"("kind":7,"bytes":262145)");
  ExpectDropped(R"("kind":10,"bytes":262145)");
  ExpectDropped(R"("kind":6,"bytes":1048577)");
  ExpectDropped(R"("kind":5,"bytes":65537)");
  ExpectDropped(R"("kind":7,"flags":1)");
}

TEST_F(ForgedFramesTest, RowsStayInsideTheirArray) {
  for (const char* rows :
       {R"([1]\n{\"jsonrpc\":\"2.0\"})", R"([1]])", R"([1)", R"(])", R"([\"a])", R"([}])",
        R"([1]\u0000)", R"([1],\"x)", R"([\"\\u12\"])", R"([\"\\x\"])", R"(\\\"[)", R"([\"a\\)"}) {
    ExpectDropped(R"("kind":7,"text":")" + std::string(rows) + R"(")");
  }
}

TEST_F(ForgedFramesTest, TextStaysInsideItsString) {
  for (const char* text : {R"(a\"b)", R"(a\\)", R"(a\nb)", R"(\\\\\")", R"(\\u00)"}) {
    ExpectDropped(R"("kind":10,"text":")" + std::string(text) + R"(")");
  }
}

TEST_F(ForgedFramesTest, DescriptionsAreObjects) {
  for (const char* meta : {"", "[]", "1", "{", R"({}\n)", R"({}{})", R"({\"a\":1,\"a\":2})"}) {
    ExpectDropped(R"("kind":6,"text":")" + std::string(meta) + R"(")");
  }
  ExpectDropped(R"("kind":6,"text":"{}","times":2)");
}

// An error of DONE as a taken-over worker could write it, inside the probe's own JSON.
std::string ForgedError(const std::string& code, const std::string& data) {
  return R"({\"error\":{\"code\":\")" + code +
         R"(\",\"reason\":\"x\",\"message\":\"\",\"hint\":\"\",)" +
         R"(\"retryable\":false,\"data\":\")" + data + R"(\"},\"counters\":{}})";
}

TEST_F(ForgedFramesTest, EndsAreChecked) {
  const std::vector<std::string> ends = {"",
                                         "[]",
                                         "{}{}",
                                         R"({\"counters\":[]})",
                                         R"({\"counters\":{},\"retire\":1})",
                                         R"({\"error\":{\"reason\":\"x\"},\"counters\":{}})",
                                         ForgedError("internal", "1"),
                                         ForgedError("nonsense", "")};
  for (const std::string& end : ends)
    ExpectDropped(R"("kind":8,"text":")" + end + R"(")");
}

TEST_F(ForgedFramesTest, FramesOfOtherJobsAreRefused) {
  const Result<JobResult> result = RunNamed("raw", R"({"kind":7,"job":12345,"text":"[1]"})");
  EXPECT_THAT(result, FailsWith("worker_crashed"));
  ExpectNextCallWorks();
}

TEST_F(ForgedFramesTest, TotalsAreBounded) {
  JobRequest request{.name = "rows", .arguments = R"({"count":300000,"width":100})"};
  request.rows_bytes_max = 1'000;
  EXPECT_THAT(Run(std::move(request)), FailsWith("worker_crashed"));
  ExpectNextCallWorks();
  ExpectDropped(R"("kind":10,"text":"aaaaaaaaaa","repeat":20000,"times":10)");
}

TEST_F(ForgedFramesTest, AFloodOfProgressIsDroppedUnread) {
  EXPECT_THAT(RunRaw(R"("kind":5,"text":"{\"done\":1,\"total\":2,\"text\":\"x\"}","times":100000)"),
              IsOk());
}

TEST_F(ForgedFramesTest, AnEndAtEveryFrameBoundaryIsACrash) {
  std::vector<size_t> cuts{0, 1, kFrameHeaderBytes - 1, kFrameHeaderBytes};
  const std::vector<size_t> payloads{32, 14, 7, 5};  // PROGRESS, META, ROWS, TEXT of the answer
  size_t end = 0;
  for (const size_t payload : payloads) {
    end += kFrameHeaderBytes + payload;
    cuts.insert(cuts.end(), {end - 1, end, end + 5});
  }
  for (const size_t cut : cuts) {
    const Result<JobResult> result =
        RunNamed("cut", R"({"job":)" + std::to_string(jobs_ + 1) + R"(,"bytes":)" +
                            std::to_string(cut) + "}");
    ASSERT_THAT(result, FailsWith("worker_crashed")) << "after " << cut << " bytes";
    EXPECT_EQ(result.error().data, R"("detail":"exit 9")");
  }
  ExpectNextCallWorks();
}

TEST_F(ForgedFramesTest, AWholeAnswerCountsAlthoughTheWorkerDiedRightAfter) {
  const Result<JobResult> result = RunNamed("cut", R"({"job":1,"bytes":100000})");
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->rows, "[1],[2]");
  SpinUntil([&] { return Children().empty(); });
  ExpectNextCallWorks();
}

}  // namespace
}  // namespace ducat::worker
