// Frames both ways. The first byte chooses the direction, the second the size of the pieces in
// which the bytes arrive; cutting must change nothing. From a worker the frames run through the
// exchange of a job: what comes out of it is spliced into a reply and must leave the reply one line
// of balanced JSON.
#include "worker/frame.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/view.h"
#include "worker/job_exchange.h"

namespace ducat::worker {
namespace {

struct Outcome {
  bool broken = false;
  size_t frames = 0;
  std::optional<JobResult> result;
};

Outcome Feed(std::string_view bytes, FrameDirection direction, size_t step) {
  JobRequest request{.rows_bytes_max = 1 << 20, .text_bytes_max = 1 << 20};
  JobExchange exchange(1, request, [](double, double, std::string_view) {});
  FrameDecoder decoder(direction);
  Outcome outcome;
  const auto take = [&](const Frame& frame) -> Status {
    ++outcome.frames;
    CHECK(frame.payload.size() == frame.header.payload_bytes);
    CHECK(frame.payload.size() <= *PayloadLimit(frame.header.kind, direction));
    if (direction == FrameDirection::kToWorker) return {};
    return exchange.Accept(frame);
  };
  while (!bytes.empty() && !outcome.broken) {
    outcome.broken = !decoder.Feed(bytes.substr(0, step), take).has_value();
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  if (exchange.done() && !exchange.end().error) outcome.result = exchange.TakeResult();
  return outcome;
}

// A reader that knows strings and brackets alone: where the value that begins at 0 ends.
size_t EndOfValue(std::string_view json) {
  std::string open;
  bool in_string = false;
  for (size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      open += c;
    } else if (c == ']' || c == '}') {
      CHECK(!open.empty() && open.back() == (c == ']' ? '[' : '{'));
      open.pop_back();
      if (open.empty()) return at + 1;
    }
  }
  return json.npos;
}

void CheckReply(const JobResult& result) {
  const std::string reply = "{\"rows\":[" + result.rows + "],\"text\":\"" + result.text +
                            "\",\"meta\":" + (result.meta.empty() ? "{}" : result.meta) +
                            ",\"counters\":" + result.counters + "}";
  for (const char c : reply)
    CHECK(static_cast<unsigned char>(c) >= 0x20);
  CHECK(EndOfValue(reply) == reply.size());
  // The parts that are not rows are JSON by themselves.
  json::Document document;
  CHECK(document.Parse(result.counters).has_value());
  CHECK(result.meta.empty() || document.Parse(result.meta).has_value());
}

void Run(std::string_view input) {
  if (input.size() < 2) return;
  const auto direction =
      input[0] % 2 == 0 ? FrameDirection::kToWorker : FrameDirection::kFromWorker;
  const size_t step = 1 + static_cast<unsigned char>(input[1]);
  input.remove_prefix(2);
  const Outcome whole = Feed(input, direction, input.size() + 1);
  const Outcome cut = Feed(input, direction, step);
  CHECK(whole.broken == cut.broken && whole.frames == cut.frames);
  CHECK(whole.result.has_value() == cut.result.has_value());
  if (!whole.result) return;
  CHECK(whole.result->rows == cut.result->rows && whole.result->text == cut.result->text);
  CheckReply(*whole.result);
}

}  // namespace
}  // namespace ducat::worker

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ducat::worker::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
