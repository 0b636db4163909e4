// Requests from raw bytes: the scan of the head, the parser behind it, the body in pieces. However
// a body is cut, it is read to the same end; what the scan lets through has one meaning.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "transport/http/head_scan.h"
#include "transport/http/limits.h"
#include "transport/http/request_parser.h"

namespace ducat::transport {
namespace {

struct Outcome {
  int status = 0;  // 0: a whole request
  std::string body;
  size_t taken = 0;
  bool done = false;
};

constexpr HttpLimits Small() {
  HttpLimits limits;
  limits.body_bytes_max = 512;
  limits.head_bytes_max = 2'048;
  limits.header_lines_max = 16;
  limits.target_bytes_max = 128;
  return limits;
}

void CheckHead(const RequestHead& head, const HttpLimits& limits) {
  CHECK(!head.method.empty() && head.target.starts_with('/'));
  CHECK(head.target.size() <= limits.target_bytes_max);
  CHECK(head.headers.size() <= limits.header_lines_max);
  CHECK(!(head.chunked && head.content_length.has_value()));
  size_t lengths = 0;
  for (const HeaderLine& line : head.headers) {
    CHECK(!line.name.empty() && line.name.find_first_of(" \t\r\n:") == line.name.npos);
    CHECK(line.value.find_first_of(std::string_view("\r\n\0", 3)) == line.value.npos);
    if (EqualsIgnoringCase(line.name, "content-length")) ++lengths;
  }
  CHECK(lengths <= 1);
}

Outcome Read(std::string_view head, std::string_view rest, size_t step) {
  constexpr HttpLimits kLimits = Small();
  Outcome outcome;
  RequestParser parser(kLimits);
  if (const auto fault = parser.ReadHead(head)) {
    CHECK(fault->status >= 400 && fault->status < 600 && !fault->kind.empty());
    return {.status = fault->status, .body = {}};
  }
  CHECK(!ScanHead(head, kLimits).has_value());
  CheckHead(parser.head(), kLimits);
  std::string waiting;
  while (!parser.done() && !rest.empty()) {
    const size_t more = std::min(step, rest.size());
    waiting += rest.substr(0, more);
    rest.remove_prefix(more);
    size_t taken = 0;
    if (const auto fault = parser.ReadBody(waiting, taken)) {
      return {.status = fault->status, .body = {}};
    }
    CHECK(taken <= waiting.size());
    waiting.erase(0, taken);
    outcome.taken += taken;
  }
  CHECK(parser.body().size() <= kLimits.body_bytes_max);
  outcome.done = parser.done();
  outcome.body = parser.body();
  return outcome;
}

void Run(std::string_view input) {
  if (input.empty()) return;
  const size_t step = 1 + static_cast<unsigned char>(input[0]) % 32;
  input.remove_prefix(1);
  const size_t end = input.find("\r\n\r\n");
  if (end == input.npos) return;
  const std::string head(input.substr(0, end + 4));
  const std::string_view rest = input.substr(end + 4);
  const Outcome whole = Read(head, rest, rest.size() + 1);
  const Outcome cut = Read(head, rest, step);
  // The last few bytes of a body that is not complete may wait; what is wrong with them is seen
  // later.
  CHECK(whole.done == cut.done);
  if (whole.status != 0 && cut.status != 0) CHECK(whole.status == cut.status);
  if (whole.done) CHECK(whole.body == cut.body && whole.taken == cut.taken);
}

}  // namespace
}  // namespace ducat::transport

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ducat::transport::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
