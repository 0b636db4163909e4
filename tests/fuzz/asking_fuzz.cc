// What a client says when it is asked: a form's schema, an answer and a requestState, a line each.
// Answers are judged and read, canonical text stays as it is when it is read again, a state that we
// sign comes back whole and one that we did not never does.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "json/canonical.h"
#include "mcp/answer_fit.h"
#include "mcp/request_state.h"

namespace ducat::mcp {
namespace {

std::string_view NextLine(std::string_view& input) {
  const size_t end = std::min(input.find('\n'), input.size());
  const std::string_view line = input.substr(0, end);
  input.remove_prefix(std::min(end + 1, input.size()));
  return line;
}

void CheckCanonical(json::View value) {
  const std::string once = json::CanonicalJson(value);
  json::Document document;
  const auto again = document.Parse(once);
  CHECK(again.has_value() && json::CanonicalJson(*again) == once);
}

void CheckState(const std::string& answer) {
  RequestStateCodec codec("a key of at least thirty-two bytes");
  const RequestState state{.principal = "p",
                           .method = "tools/call",
                           .params_digest = "00",
                           .expires_s = 1,
                           .round = 1,
                           .told = {{"key", answer}}};
  const auto back = codec.Decode(codec.Encode(state));
  CHECK(back.has_value() && back->principal == state.principal && back->told.size() == 1);
}

void Run(std::string_view input) {
  const InputRequest form = ElicitForm("?", std::string(NextLine(input)));
  json::Document document;
  // As deep as a message may be, less what stands around an answer.
  const auto answer = document.Parse(NextLine(input), {.depth_max = 56});
  RequestStateCodec stranger("another key, of thirty-two bytes!");
  CHECK(!stranger.Decode(input).has_value());
  if (!answer) return;
  CheckCanonical(*answer);
  for (const InputRequest& request : {form, SampleText("?", 1), ListRoots()}) {
    if (!AnswerFits(request, *answer)) continue;
    CHECK(answer->IsObject());
    CheckState(answer->ToJson());
  }
  const InputAnswer read(answer->ToJson());
  static_cast<void>(read.Field("name"));
  static_cast<void>(read.Content());
  static_cast<void>(read.SampledText());
  static_cast<void>(read.RootUris());
}

}  // namespace
}  // namespace ducat::mcp

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ducat::mcp::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
