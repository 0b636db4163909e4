#include "mcp/progress.h"

#include <cmath>
#include <limits>
#include <utility>

#include "json/writer.h"
#include "mcp/text.h"

namespace ducat::mcp {
namespace {

constexpr double kRepeatStep = 0.001;

// The smallest readable step up; for very large values the next double.
double JustAbove(double value) {
  const double next = value + kRepeatStep;
  return next > value ? next : std::nextafter(value, std::numeric_limits<double>::infinity());
}

}  // namespace

ProgressReporter::ProgressReporter(TimerQueue& timers, std::string token, bool with_message,
                                   std::function<void(std::string)> send)
    : timers_(timers),
      token_(std::move(token)),
      with_message_(with_message),
      send_(std::move(send)),
      last_sent_(timers.clock().Now()) {
  Wake(last_sent_ + kProgressSilence);
}

ProgressReporter::~ProgressReporter() {
  Stop();
}

void ProgressReporter::Report(double progress, std::optional<double> total,
                              std::string_view message) {
  if (stopped_ || !std::isfinite(progress) || (last_ && progress <= last_->progress)) return;
  if (waiting_ && progress <= waiting_->progress) return;
  Step step{.progress = progress, .total = total, .message = std::string(message)};
  const MonotonicTime free_at = last_sent_ + kProgressInterval;
  if (!last_ || timers_.clock().Now() >= free_at) return Send(std::move(step));
  waiting_ = std::move(step);
  Wake(free_at);
}

void ProgressReporter::Stop() {
  // A request may outlive the server's timers, but only once it is stopped.
  if (stopped_) return;
  stopped_ = true;
  timers_.Remove(timer_);
}

void ProgressReporter::Send(Step step) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.RawField("jsonrpc", "\"2.0\"");
  writer.RawField("method", "\"notifications/progress\"");
  writer.Key("params");
  writer.BeginObject();
  writer.RawField("progressToken", token_);
  writer.Field("progress", step.progress);
  if (step.total) writer.Field("total", *step.total);
  if (with_message_ && !step.message.empty()) {
    writer.Field("message", CleanForDisplay(step.message));
  }
  writer.EndObject();
  writer.EndObject();
  last_ = std::move(step);
  waiting_.reset();
  last_sent_ = timers_.clock().Now();
  Wake(last_sent_ + kProgressSilence);
  send_(std::move(out));
}

void ProgressReporter::Repeat() {
  if (waiting_) return Send(*std::exchange(waiting_, std::nullopt));
  Step step = last_.value_or(Step{});
  if (last_) step.progress = JustAbove(step.progress);
  Send(std::move(step));
}

void ProgressReporter::Wake(MonotonicTime due) {
  timers_.Remove(timer_);
  timer_ = timers_.At(due, [this] {
    timer_ = {};
    if (!stopped_) Repeat();
  });
}

}  // namespace ducat::mcp
