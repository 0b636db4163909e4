#include <algorithm>
#include <string>
#include <string_view>
#include <unistd.h>

#include "json/decode.h"
#include "json/encode.h"
#include "probe_worker/probe_jobs.h"
#include "worker/frame.h"
#include "worker/job_message.h"

namespace ducat::worker::probe {
namespace {

using child::JobContext;

constexpr int kSocket = 3;

void WriteAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(kSocket, bytes.data(), bytes.size());
    if (written <= 0) _exit(1);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

template <class T>
T Number(json::View arguments, std::string_view key, T fallback) {
  const auto member = arguments.Find(key);
  const auto number = member ? member->AsUnsigned() : std::nullopt;
  return number ? static_cast<T>(*number) : fallback;
}

// A frame as the arguments say, which need not be one that a worker may send.
struct RawFrame {
  FrameHeader header;
  std::string payload;
};

RawFrame Describe(json::View arguments) {
  RawFrame frame;
  frame.header.kind = static_cast<FrameKind>(Number<uint16_t>(arguments, "kind", 8));
  frame.header.flags = Number<uint16_t>(arguments, "flags", 0);
  frame.header.job = Number<uint64_t>(arguments, "job", 0);
  frame.payload = arguments.Find("text").value_or(json::View()).AsString().value_or("");
  const auto repeat = Number<size_t>(arguments, "repeat", 1);
  std::string repeated;
  for (size_t i = 0; i < repeat; ++i)
    repeated += frame.payload;
  frame.payload = std::move(repeated);
  frame.header.payload_bytes =
      Number<uint32_t>(arguments, "bytes", static_cast<uint32_t>(frame.payload.size()));
  return frame;
}

Result<std::string> Raw(JobContext&, json::View arguments) {
  const auto times = Number<size_t>(arguments, "times", 1);
  const RawFrame frame = Describe(arguments);
  const auto header = EncodeHeader(frame.header);
  for (size_t i = 0; i < times; ++i) {
    WriteAll({header.data(), header.size()});
    WriteAll(frame.payload);
  }
  return std::string();
}

// The frames of a whole answer; the process ends after `bytes` of them.
Result<std::string> Cut(JobContext&, json::View arguments) {
  const auto job = Number<uint64_t>(arguments, "job", 1);
  std::string answer = EncodeFrame(FrameKind::kProgress, job, R"({"done":1,"total":2,"text":"x"})");
  answer += EncodeFrame(FrameKind::kMeta, job, R"({"columns":[]})");
  answer += EncodeFrame(FrameKind::kRows, job, "[1],[2]");
  answer += EncodeFrame(FrameKind::kText, job, "| 1 |");
  answer += EncodeFrame(FrameKind::kDone, job, json::Encode(JobEnd{}));
  const auto bytes = std::min(answer.size(), Number<size_t>(arguments, "bytes", 0));
  WriteAll(std::string_view(answer).substr(0, bytes));
  _exit(9);
}

// Rows in one call, of any size.
Result<std::string> Rows(JobContext& context, json::View arguments) {
  const auto count = Number<size_t>(arguments, "count", 1);
  std::string row = "[\"" + std::string(Number<size_t>(arguments, "width", 10), 'x') + "\"]";
  for (size_t i = 0; i < count; ++i) {
    TRY(context.output.Rows(i == 0 ? row : "," + row));
  }
  return std::string();
}

}  // namespace

std::vector<child::JobEntry> FrameJobs() {
  return {{"raw", Raw}, {"cut", Cut}, {"rows", Rows}};
}

}  // namespace ducat::worker::probe
