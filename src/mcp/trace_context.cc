#include "mcp/trace_context.h"

#include <algorithm>

#include "base/text.h"

namespace ducat::mcp {
namespace {

constexpr size_t kStateBytesMax = 512;

bool IsLowerHex(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return IsAsciiDigit(c) || (c >= 'a' && c <= 'f'); });
}
bool IsZero(std::string_view text) {
  return text.find_first_not_of('0') == text.npos;
}

bool IsState(std::string_view text) {
  return !text.empty() && text.size() <= kStateBytesMax &&
         std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7f; });
}

}  // namespace

// version-trace_id-parent_id-flags; later versions may append more fields.
bool IsTraceparent(std::string_view text) {
  if (text.size() < 55 || text[2] != '-' || text[35] != '-' || text[52] != '-') return false;
  const std::string_view version = text.substr(0, 2);
  const std::string_view trace = text.substr(3, 32);
  const std::string_view parent = text.substr(36, 16);
  if (!IsLowerHex(version) || version == "ff" || !IsLowerHex(text.substr(53, 2))) return false;
  if (text.size() > 55 && (version == "00" || text[55] != '-' || !IsState(text))) return false;
  return IsLowerHex(trace) && !IsZero(trace) && IsLowerHex(parent) && !IsZero(parent);
}

TraceContext ReadTraceContext(json::View meta) {
  TraceContext context;
  const auto parent = meta.Find("traceparent");
  const auto text = parent ? parent->AsString() : std::nullopt;
  if (!text || !IsTraceparent(*text)) return context;
  context.parent = *text;
  const auto state = meta.Find("tracestate");
  const auto state_text = state ? state->AsString() : std::nullopt;
  if (state_text && IsState(*state_text)) context.state = *state_text;
  return context;
}

}  // namespace ducat::mcp
