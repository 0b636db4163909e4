#pragma once
// JobExchange: what the control process accepts from a worker while one job runs (guard.md 3.2). A
// closed state machine: kinds that do not fit, bytes that must not be spliced and more bytes than
// the job's limits end the worker. Collects the answer. Control thread; lives as long as the job.

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "worker/frame.h"
#include "worker/job_message.h"
#include "worker/pool.h"
#include "worker/splice_check.h"

namespace ducat::worker {

class JobExchange {
 public:
  // ROWS may exceed the job's limit by one row, TEXT by one piece.
  static constexpr uint64_t kRowBytesMax = kFramePayloadMax;
  // PROGRESS frames beyond this many a second are dropped unread.
  static constexpr int kProgressPerSecondMax = 20;

  JobExchange(uint64_t job, const JobRequest& request, JobProgress progress);

  // Fails with reason "frame_error": the worker must be killed.
  [[nodiscard]] Status Accept(const Frame& frame);

  // The worker has begun to run the job: whatever ends it now may be the job's doing.
  [[nodiscard]] bool started() const { return started_; }
  [[nodiscard]] bool done() const { return end_.has_value(); }
  [[nodiscard]] const JobEnd& end() const { return *end_; }
  // The answer of a job that ended well; once.
  [[nodiscard]] JobResult TakeResult();

 private:
  [[nodiscard]] Status AcceptProgress(std::string_view payload);
  [[nodiscard]] Status AcceptMeta(std::string_view payload);
  [[nodiscard]] Status AcceptPiece(const Frame& frame, SpliceCheck& check, std::string& body,
                                   uint64_t bytes_max);
  [[nodiscard]] Status AcceptDone(std::string_view payload);

  uint64_t job_;
  uint64_t rows_bytes_max_, text_bytes_max_;
  JobProgress progress_;
  int64_t progress_second_ = 0;
  int progress_count_ = 0;
  bool started_ = false;
  bool pieces_begun_ = false;
  SpliceCheck rows_check_{SpliceCheck::Body::kRows};
  SpliceCheck text_check_{SpliceCheck::Body::kText};
  JobResult result_;
  std::optional<JobEnd> end_;
};

// Checks text of a worker that will be spliced as a JSON object: no control bytes, within the
// limits of a message, an object. Reason "frame_error".
[[nodiscard]] Status CheckObject(std::string_view what, std::string_view json);

}  // namespace ducat::worker
