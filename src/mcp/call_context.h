#pragma once
// CallContext: what a tool, resource or prompt may know and do about the request it serves. Owned
// by the server for the life of the request; borrowed by the handler's coroutine. Control thread
// only.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/task.h"
#include "mcp/client_input.h"
#include "mcp/trace_context.h"

namespace ducat::mcp {

// What the client says it can do when it is asked.
struct ClientCapabilities {
  bool sampling = false;
  bool elicitation = false;  // forms; nothing else is asked
  bool roots = false;
  bool tasks = false;  // the extension, declared by the request itself

  [[nodiscard]] bool Allows(InputKind kind) const;
};

struct CallContext;
struct Request;

// How questions reach the client; implemented by the server.
class InputChannel {
 public:
  virtual ~InputChannel() = default;
  // Answers to all questions that the client can be asked; what fails is what Ask fails with.
  virtual Task<InputAnswers> Ask(CallContext& context, std::vector<Question> questions) = 0;
};

// How many arguments of a call were put right before they were judged.
struct RepairCounts {
  size_t aliased = 0;  // another spelling of a name
  size_t ignored = 0;  // no such parameter
  size_t coerced = 0;  // another type
};

struct CallContext {
  std::string request_id;  // XXXXX-XXXXX, shown in errors and logs
  std::string principal = "local";
  std::string tenant = "default";
  std::string turn = "local";  // see Caller
  std::string remote;          // see Caller
  std::string session_id;      // see Caller
  TraceContext trace;          // for upstream requests
  RepairCounts repairs;
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

  // Asks the client; only in a handler that is declared with `asks`. In the modern era the call
  // ends here and starts anew with the answer, so nothing may have an effect before the last Ask,
  // and every failure is passed on as it is. Fails with missing_client_capability or
  // client_input_unavailable.
  Task<InputAnswer> Ask(std::string key, InputRequest what);
  // Several at once; what the client has not declared is left out, unless that is all of them.
  Task<InputAnswers> AskAll(std::vector<Question> questions);

  InputChannel* input = nullptr;  // null: nobody can be asked
  Request* request = nullptr;     // for the core only
};

}  // namespace ducat::mcp
