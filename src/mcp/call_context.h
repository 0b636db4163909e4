#pragma once
// CallContext: what a tool, resource or prompt may know and do about the request it serves. Owned
// by the server for the life of the request; borrowed by the handler's coroutine. Control thread
// only.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/log.h"
#include "mcp/trace_context.h"

namespace ducat::mcp {

// What the client says it can do when it is asked.
struct ClientCapabilities {
  bool sampling = false;
  bool elicitation = false;
  bool roots = false;
};

struct CallContext {
  std::string request_id;  // XXXXX-XXXXX, shown in errors and logs
  std::string principal = "local";
  std::string tenant = "default";
  std::string turn = "local";  // see Caller
  TraceContext trace;          // for upstream requests
  ClientCapabilities client;
  MonotonicTime deadline;       // the call's own deadline (protocol.md 10)
  CancelToken cancel;           // client, deadline or shutdown
  bool wants_progress = false;  // the request carried a progressToken
  // Sends notifications/progress on this request's stream (rate and order are kept by the server);
  // a no-op without a token.
  std::function<void(double progress, std::optional<double> total, std::string_view message)>
      progress;
  // Sends notifications/message on this request's stream when the client asked for that level.
  // `data` is the inside of a JSON object after its message: "\"rows\":3", or empty. No secrets, no
  // rows.
  std::function<void(LogLevel level, std::string_view logger, std::string_view message,
                     std::string_view data)>
      log;
  // Lets the client's connection go; it comes back for the answer where it can (a legacy session
  // over HTTP). Nothing elsewhere.
  std::function<void()> release_stream;
};

}  // namespace ducat::mcp
