#include "worker/job_exchange.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "json/decode.h"
#include "json/view.h"

namespace ducat::worker {
namespace {

Failure FrameError(std::string message) {
  return Fail(ErrorCode::kInternal, "frame_error", std::move(message));
}

bool HasControlByte(std::string_view bytes) {
  return std::any_of(bytes.begin(), bytes.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

Status CheckObject(std::string_view what, std::string_view json) {
  if (HasControlByte(json)) return FrameError(std::string(what) + " holds a control byte");
  json::Document document;
  const Result<json::View> view = document.Parse(json);
  if (!view) return FrameError(std::string(what) + ": " + view.error().message);
  if (!view->IsObject()) return FrameError(std::string(what) + " is no object");
  return {};
}

JobExchange::JobExchange(uint64_t job, const JobRequest& request, JobProgress progress)
    : job_(job),
      rows_bytes_max_(request.rows_bytes_max),
      text_bytes_max_(request.text_bytes_max),
      progress_(std::move(progress)) {}

Status JobExchange::Accept(const Frame& frame) {
  const std::string_view name = FrameName(frame.header.kind);
  if (done()) return FrameError(std::string(name) + " after DONE");
  if (frame.header.job != job_) {
    return FrameError(std::string(name) + " of job " + std::to_string(frame.header.job) +
                      " while job " + std::to_string(job_) + " runs");
  }
  const bool starts = frame.header.kind == FrameKind::kStarted;
  if (starts == started_) {
    return FrameError(std::string(name) + (starts ? " twice" : " before STARTED"));
  }
  switch (frame.header.kind) {
    case FrameKind::kStarted:
      started_ = true;
      return {};
    case FrameKind::kProgress:
      return AcceptProgress(frame.payload);
    case FrameKind::kMeta:
      return AcceptMeta(frame.payload);
    case FrameKind::kRows:
      return AcceptPiece(frame, rows_check_, result_.rows,
                         rows_bytes_max_ == 0 ? 0 : rows_bytes_max_ + kRowBytesMax);
    case FrameKind::kText:
      return AcceptPiece(frame, text_check_, result_.text,
                         text_bytes_max_ == 0 ? 0 : text_bytes_max_ + kPieceBytesMax);
    case FrameKind::kDone:
      return AcceptDone(frame.payload);
    case FrameKind::kHello:
    case FrameKind::kReady:
    case FrameKind::kCatalog:
    case FrameKind::kJob:
    case FrameKind::kCancel:
      break;
  }
  return FrameError(std::string(name) + " while a job runs");
}

Status JobExchange::AcceptProgress(std::string_view payload) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const int64_t second = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  if (second != std::exchange(progress_second_, second)) progress_count_ = 0;
  if (++progress_count_ > kProgressPerSecondMax || !progress_) return {};
  json::Document document;
  const Result<json::View> view = document.Parse(payload);
  if (!view) return FrameError("PROGRESS: " + view.error().message);
  const auto number = [&](std::string_view key) {
    const auto member = view->Find(key);
    return member ? member->AsDouble().value_or(0) : 0;
  };
  const auto text = view->Find("text");
  progress_(number("done"), number("total"),
            text ? text->AsString().value_or(std::string_view()) : std::string_view());
  return {};
}

Status JobExchange::AcceptMeta(std::string_view payload) {
  if (pieces_begun_ || !result_.meta.empty()) return FrameError("META after rows, or a second one");
  TRY(CheckObject("META", payload));
  result_.meta = payload;
  return {};
}

Status JobExchange::AcceptPiece(const Frame& frame, SpliceCheck& check, std::string& body,
                                uint64_t bytes_max) {
  pieces_begun_ = true;
  const std::string_view piece = frame.payload;
  if (body.size() + piece.size() > bytes_max) {
    return FrameError(std::string(FrameName(frame.header.kind)) + " of more than " +
                      std::to_string(bytes_max) + " bytes");
  }
  TRY(check.Feed(piece));
  body.append(piece);
  return {};
}

Status JobExchange::AcceptDone(std::string_view payload) {
  json::Document document;
  Result<json::View> view = document.Parse(payload);
  if (!view) return FrameError("DONE: " + view.error().message);
  Result<JobEnd> end = json::Decode<JobEnd>(*view);
  if (!end) return FrameError("DONE: " + end.error().message);
  TRY(CheckObject("counters", end->counters.json));
  if (end->error) {
    TRY(CheckObject("data", "{" + end->error->data + "}"));
    if (end->error->reason.empty()) return FrameError("DONE with an error without a reason");
  } else {
    // A job that failed half-way leaves pieces unfinished; nobody splices those.
    TRY(rows_check_.Finish());
    TRY(text_check_.Finish());
  }
  end_ = std::move(*end);
  return {};
}

JobResult JobExchange::TakeResult() {
  result_.counters = std::move(end_->counters.json);
  return std::move(result_);
}

}  // namespace ducat::worker
