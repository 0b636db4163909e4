// The small texts that callers choose: header values with base64 marks, cursors, URIs of templates,
// trace contexts, Host and Origin, listen addresses, lines of a token file. The first byte chooses.
// What goes through a way and back is what it was.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"
#include "mcp/cursor.h"
#include "mcp/mirror_headers.h"
#include "mcp/trace_context.h"
#include "mcp/uri_template.h"
#include "transport/http/listen_address.h"
#include "transport/http/options.h"
#include "transport/http/token_file.h"
#include "transport/http/trusted_names.h"

namespace ducat {
namespace {

void HeaderValue(std::string_view text) {
  const auto value = mcp::DecodeHeaderValue(text);
  if (!value) return;
  const std::string_view plain = Trim(text);
  const bool marked = plain.starts_with("=?base64?") && plain.ends_with("?=") && plain.size() > 10;
  CHECK(marked ? IsValidUtf8(*value) : *value == plain);
}

void Cursor(std::string_view text) {
  mcp::CursorCodec codec;
  // Nobody guesses eight bytes of a key that is minutes old.
  CHECK(!codec.Decode(mcp::ListKind::kTools, text));
  const auto position = static_cast<uint32_t>(text.size());
  const std::string own = codec.Encode(mcp::ListKind::kTools, 7, position);
  CHECK(codec.Decode(mcp::ListKind::kTools, own) == position);
  CHECK(!codec.Decode(mcp::ListKind::kPrompts, own));
  CHECK(!codec.Decode(mcp::ListKind::kTools, own + std::string(text.substr(0, 1)) + "A"));
}

void Template(std::string_view text) {
  constexpr std::string_view kTemplate = "duckdb://schema/{table}/{column}";
  if (const auto values = mcp::MatchTemplate(kTemplate, text)) {
    CHECK(values->size() == 2);
    for (const auto& [name, value] : *values) {
      CHECK(!value.empty() && value.find('\0') == value.npos && value.find('/') == value.npos);
      const auto again = mcp::MatchTemplate("t://{x}", "t://" + mcp::EncodeVariable(value));
      CHECK(again && again->at("x") == value);
    }
  }
  (void)mcp::MatchTemplate(text, "duckdb://schema/a/b");
}

void Names(std::string_view text) {
  transport::HttpOptions options;
  const transport::TrustedNames names(options);
  if (names.AllowsHost(text)) CHECK(transport::IsLoopbackName(transport::HostWithoutPort(text)));
  if (names.AllowsOrigin(text)) CHECK(EqualsIgnoringCase(text.substr(0, 4), "http"));
  if (const auto address = transport::ParseListenAddress(text)) {
    CHECK(address->is_unix() || !address->host.empty());
  }
}

void Tokens(std::string_view text) {
  const auto entries = transport::ParseTokens(text);
  if (!entries) {
    CHECK(entries.error().reason == "invalid_token_file");
    return;
  }
  const std::string token = transport::NewToken();
  for (const transport::TokenEntry& entry : *entries) {
    const auto line = transport::TokenLine(token, entry);
    if (!line) continue;
    const auto again = transport::ParseTokens(*line);
    CHECK(again && again->size() == 1);
    CHECK(again->front().caller.principal == entry.caller.principal);
    CHECK(again->front().scopes == entry.scopes);
  }
}

void Run(std::string_view input) {
  if (input.empty()) return;
  const std::string_view text = input.substr(1);
  switch (input[0] % 6) {
    case 0:
      return HeaderValue(text);
    case 1:
      return Cursor(text);
    case 2:
      return Template(text);
    case 3:
      return Names(text);
    case 4:
      return Tokens(text);
    default:
      (void)mcp::IsTraceparent(text);
  }
}

}  // namespace
}  // namespace ducat

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ducat::Run({reinterpret_cast<const char*>(data), size});
  return 0;
}
