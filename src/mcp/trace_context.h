#pragma once
// W3C trace context of a request (protocol.md 10): _meta.traceparent goes into log lines and on to
// upstream requests; what is not valid is ignored. Pure.

#include <string>
#include <string_view>

#include "json/view.h"

namespace ducat::mcp {

struct TraceContext {
  std::string parent;  // traceparent; empty: none, or not valid
  std::string state;   // tracestate, as it came; empty without a parent
};

[[nodiscard]] bool IsTraceparent(std::string_view text);
[[nodiscard]] TraceContext ReadTraceContext(json::View meta);

}  // namespace ducat::mcp
