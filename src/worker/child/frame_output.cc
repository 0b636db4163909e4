#include "worker/child/frame_output.h"

#include <algorithm>

#include "base/text.h"
#include "json/writer.h"
#include "worker/job_error.h"

namespace ducat::worker::child {
namespace {

constexpr size_t kProgressTextMax = 1'024;

}  // namespace

void FrameOutput::Progress(double done, double total, std::string_view text) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_progress_) return;
  next_progress_ = now + kProgressInterval;
  std::string payload;
  json::JsonWriter writer(payload);
  writer.BeginObject();
  writer.Field("done", done);
  writer.Field("total", total);
  writer.Field("text", ClipUtf8(text, kProgressTextMax));
  writer.EndObject();
  channel_.Write(FrameKind::kProgress, job_, payload);
}

Status FrameOutput::Meta(std::string_view json_object) {
  if (meta_sent_ || pieces_begun_) return Internal("META twice, or after rows");
  if (json_object.size() > kMetaBytesMax) {
    return Fail(ErrorCode::kResourceExhausted, "result_too_large",
                "The description of the result has " + std::to_string(json_object.size()) +
                    " bytes; the limit is " + std::to_string(kMetaBytesMax) + ".",
                "Ask for fewer columns or tables.");
  }
  meta_sent_ = true;
  channel_.Write(FrameKind::kMeta, job_, json_object);
  return {};
}

Status FrameOutput::Rows(std::string_view bytes) {
  return Gather(FrameKind::kRows, rows_, bytes);
}

Status FrameOutput::Text(std::string_view escaped) {
  return Gather(FrameKind::kText, text_, escaped);
}

Status FrameOutput::Gather(FrameKind kind, std::string& gathered, std::string_view bytes) {
  pieces_begun_ = true;
  while (!bytes.empty()) {
    if (const CancelCause cause = watch_.cause(); cause != CancelCause::kNone) {
      return Failure(EndedEarly(cause, {}));
    }
    const size_t taken = std::min(kPieceBytesMax - gathered.size(), bytes.size());
    gathered.append(bytes.substr(0, taken));
    bytes.remove_prefix(taken);
    if (gathered.size() < kPieceBytesMax) break;
    channel_.Write(kind, job_, gathered);
    gathered.clear();
  }
  return {};
}

void FrameOutput::Flush() {
  if (!rows_.empty()) channel_.Write(FrameKind::kRows, job_, rows_);
  if (!text_.empty()) channel_.Write(FrameKind::kText, job_, text_);
  rows_.clear();
  text_.clear();
}

}  // namespace ducat::worker::child
