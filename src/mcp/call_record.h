#pragma once
// What is told of each tool call, resource read and prompt, for the audit log and the metrics
// (protocol.md 15), and who is told. Observers are owned by the app and outlive the server. Control
// thread only; views borrow from the request and end with the call.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mcp/call_context.h"
#include "mcp/method.h"
#include "mcp/revision.h"

namespace ducat::mcp {

struct CallRecord {
  std::string_view request_id;
  std::string_view transport;  // "stdio", "http"
  std::string_view remote;     // the client's address; empty on stdio
  std::string_view session;    // the legacy session's id; a secret: never written as it is
  std::string_view principal;
  std::string_view tenant;
  Method method = Method::kToolsCall;
  Revision revision = kModern;
  std::string_view target;     // name of the tool or prompt, or the URI, as the client sent it
  bool is_known = true;        // there is such a tool
  std::string_view arguments;  // canonical JSON; empty unless an observer wants them
  std::chrono::microseconds took{0};
  // A literal: ok, error, cancelled, task, input_required; denied: it never ran.
  std::string_view outcome;
  int code = 0;                 // of the error; 0: none
  std::string_view reason;      // of the error
  std::string_view trace;       // W3C traceparent; empty: none came
  RepairCounts repairs;         // of a tool call's arguments
  size_t bytes = 0;             // of the reply
  std::optional<int64_t> rows;  // of a result that has rows
};

// What a request remembers for its record.
struct ObservedCall {
  std::string target;
  std::string arguments;
  std::string_view outcome = "denied";
  int code = 0;
  std::string reason;
  std::optional<int64_t> rows;
};

class CallObserver {
 public:
  virtual ~CallObserver() = default;
  // Whether records need the arguments: they are written once more for it.
  [[nodiscard]] virtual bool wants_arguments() const { return false; }
  // Before the call runs. Fails when calls must not run ("audit_unavailable"): the caller gets that
  // error.
  [[nodiscard]] virtual Status MayBegin() { return {}; }
  // Once for each call, also for those that were refused.
  virtual void Ended(const CallRecord& record) = 0;
};

}  // namespace ducat::mcp
