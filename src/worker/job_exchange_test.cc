#include "worker/job_exchange.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::worker {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

Status Give(JobExchange& exchange, FrameKind kind, std::string_view payload, uint64_t job = 7) {
  return exchange.Accept(
      {.header = {.payload_bytes = static_cast<uint32_t>(payload.size()), .kind = kind, .job = job},
       .payload = payload});
}

// An exchange whose job has begun.
JobExchange Begun(const JobRequest& request, JobProgress progress = {}) {
  JobExchange exchange(7, request, std::move(progress));
  EXPECT_FALSE(exchange.started());
  EXPECT_THAT(Give(exchange, FrameKind::kStarted, ""), IsOk());
  EXPECT_TRUE(exchange.started());
  return exchange;
}

JobRequest Limits(uint64_t rows, uint64_t text) {
  JobRequest request;
  request.rows_bytes_max = rows;
  request.text_bytes_max = text;
  return request;
}

TEST(JobExchange, CollectsAnAnswer) {
  JobExchange exchange = Begun(Limits(100, 100));
  EXPECT_THAT(Give(exchange, FrameKind::kMeta, R"({"columns":["a"]})"), IsOk());
  EXPECT_THAT(Give(exchange, FrameKind::kRows, R"(["a)"), IsOk());
  EXPECT_THAT(Give(exchange, FrameKind::kText, "| a"), IsOk());
  EXPECT_THAT(Give(exchange, FrameKind::kRows, R"("],[1])"), IsOk());
  EXPECT_THAT(Give(exchange, FrameKind::kText, " |"), IsOk());
  EXPECT_FALSE(exchange.done());
  EXPECT_THAT(Give(exchange, FrameKind::kDone, R"({"counters":{"rows":2}})"), IsOk());
  ASSERT_TRUE(exchange.done());
  const JobResult result = exchange.TakeResult();
  EXPECT_EQ(result.meta, R"({"columns":["a"]})");
  EXPECT_EQ(result.rows, R"(["a"],[1])");
  EXPECT_EQ(result.text, "| a |");
  EXPECT_EQ(result.counters, R"({"rows":2})");
}

TEST(JobExchange, AnErrorEndsTheJobWhateverIsOpen) {
  JobExchange exchange = Begun(Limits(100, 100));
  EXPECT_THAT(Give(exchange, FrameKind::kRows, "[1"), IsOk());
  EXPECT_THAT(
      Give(exchange, FrameKind::kDone,
           R"({"error":{"code":"not_found","reason":"unknown_table","message":"m","hint":"h",)"
           R"("retryable":false,"data":"\"token\":\"x\""},"counters":{},"retire":true})"),
      IsOk());
  ASSERT_TRUE(exchange.done());
  ASSERT_TRUE(exchange.end().error.has_value());
  EXPECT_EQ(exchange.end().error->code, ErrorCode::kNotFound);
  EXPECT_EQ(exchange.end().error->data, R"("token":"x")");
  EXPECT_TRUE(exchange.end().retire);
}

TEST(JobExchange, NothingComesBeforeTheStartAndThereIsOne) {
  for (const FrameKind kind : {FrameKind::kProgress, FrameKind::kMeta, FrameKind::kRows,
                               FrameKind::kText, FrameKind::kDone}) {
    JobExchange exchange(7, Limits(100, 100), {});
    EXPECT_THAT(Give(exchange, kind, "{}"), FailsWith("frame_error")) << FrameName(kind);
    EXPECT_FALSE(exchange.started());
  }
  JobExchange twice = Begun(Limits(100, 100));
  EXPECT_THAT(Give(twice, FrameKind::kStarted, ""), FailsWith("frame_error"));
}

TEST(JobExchange, NothingComesAfterTheEnd) {
  JobExchange exchange = Begun(Limits(100, 100));
  EXPECT_THAT(Give(exchange, FrameKind::kDone, R"({"counters":{}})"), IsOk());
  EXPECT_THAT(Give(exchange, FrameKind::kRows, "[1]"), FailsWith("frame_error"));
  EXPECT_THAT(Give(exchange, FrameKind::kDone, R"({"counters":{}})"), FailsWith("frame_error"));
}

TEST(JobExchange, MetaComesOnceAndFirst) {
  JobExchange twice = Begun(Limits(100, 100));
  EXPECT_THAT(Give(twice, FrameKind::kMeta, "{}"), IsOk());
  EXPECT_THAT(Give(twice, FrameKind::kMeta, "{}"), FailsWith("frame_error"));
  JobExchange late = Begun(Limits(100, 100));
  EXPECT_THAT(Give(late, FrameKind::kText, "a"), IsOk());
  EXPECT_THAT(Give(late, FrameKind::kMeta, "{}"), FailsWith("frame_error"));
}

TEST(JobExchange, WithoutALimitNoRowsAreTaken) {
  JobExchange exchange = Begun(Limits(0, 0));
  EXPECT_THAT(Give(exchange, FrameKind::kRows, "[1]"), FailsWith("frame_error"));
  JobExchange text = Begun(Limits(0, 0));
  EXPECT_THAT(Give(text, FrameKind::kText, "a"), FailsWith("frame_error"));
}

TEST(JobExchange, TotalsAreBoundedAtTheLimitPlusOne) {
  JobExchange exchange = Begun(Limits(10, 10));
  const uint64_t most = 10 + kPieceBytesMax;
  std::string text(most, 'x');
  EXPECT_THAT(Give(exchange, FrameKind::kText, text), IsOk());
  EXPECT_THAT(Give(exchange, FrameKind::kText, "x"), FailsWith("frame_error"));
  JobExchange rows = Begun(Limits(10, 10));
  std::string row = "[\"" + std::string(9, 'x') + "\"],";
  uint64_t given = 0;
  while (given + row.size() <= 10 + JobExchange::kRowBytesMax) {
    ASSERT_THAT(Give(rows, FrameKind::kRows, row), IsOk());
    given += row.size();
  }
  EXPECT_THAT(Give(rows, FrameKind::kRows, row), FailsWith("frame_error"));
}

TEST(JobExchange, ProgressIsPassedOnAtABoundedRate) {
  int calls = 0;
  JobExchange exchange = Begun(Limits(0, 0), [&](double done, double total, std::string_view text) {
    ++calls;
    EXPECT_EQ(done, 0.5);
    EXPECT_EQ(total, 2);
    EXPECT_EQ(text, "half");
  });
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_THAT(Give(exchange, FrameKind::kProgress, R"({"done":0.5,"total":2,"text":"half"})"),
                IsOk());
  }
  EXPECT_GE(calls, JobExchange::kProgressPerSecondMax);
  EXPECT_LE(calls, 3 * JobExchange::kProgressPerSecondMax);
  JobExchange other = Begun(Limits(0, 0), [](double, double, std::string_view) {});
  EXPECT_THAT(Give(other, FrameKind::kProgress, "{"), FailsWith("frame_error"));
}

TEST(JobExchange, FailuresKeepTheirFields) {
  const Error error{.code = ErrorCode::kNotFound,
                    .reason = "r",
                    .message = "m",
                    .hint = "h",
                    .retryable = true,
                    .data = "\"a\":1"};
  const Error back = ToError(ToFailure(error));
  EXPECT_EQ(back.code, error.code);
  EXPECT_EQ(back.reason + back.message + back.hint + back.data, "rmh\"a\":1");
  EXPECT_TRUE(back.retryable);
}

}  // namespace
}  // namespace ducat::worker
