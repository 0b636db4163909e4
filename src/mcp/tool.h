#pragma once
// Tool: one description, from which schemas, decoding, encoding, documentation and the command line
// come (design.md 6). A tool is one file: input and output struct with their Fields(), the errors
// it declares, texts, a coroutine, a rendering; MakeTool ties them. Tools are built once at start
// (saved queries later), are immutable, and run on the control thread.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "json/decode.h"
#include "json/encode.h"
#include "json/shape.h"
#include "mcp/call_context.h"
#include "mcp/scopes.h"
#include "mcp/text.h"

namespace ducat::mcp {

// A failure that a tool declares: agents read it in the output schema and the reference page.
struct DeclaredError {
  std::string_view reason;
  ErrorCode code;
  std::string_view when;
  std::string_view recovery;
  std::optional<bool> retryable;  // unset: as its code says (protocol.md 14.5)
};

// How the text of an error begins (protocol.md 14.5).
enum class ErrorStyle : uint8_t {
  kSentence,  // Error: message, Recovery: hint
  kBracketed  // [reason] message, Hint: hint (the analyst's reference server)
};

// Whether a call may go on as a task after its answer (protocol.md 13.1); only for clients that
// declare the extension.
enum class TaskMode : uint8_t {
  kNever,
  kAfter,    // when it runs for long
  kAtOnce,   // from the start
  kRequired  // always, once it has asked what it must; a client without tasks is refused
};

struct ToolInfo {
  std::string name;         // ^[a-z][a-z0-9_]{0,39}$
  std::string title;        // at most 60 characters
  std::string description;  // at most 1,024 characters, never from data
  bool read_only = true;
  bool destructive = false;  // shown for writers only
  bool idempotent = true;
  bool open_world = false;
  std::vector<DeclaredError> errors;
  Scopes scopes;  // what a caller must have been granted; none: any caller
  ErrorStyle error_style = ErrorStyle::kSentence;
  std::chrono::milliseconds deadline{0};  // 0: the server's default
  TaskMode tasks = TaskMode::kNever;
  bool asks = false;  // its function may use CallContext::Ask
};

// What a call gives: the structured form as a JSON object, and its text.
struct Answer {
  std::string structured;
  Text text;
  std::string content;  // instead of both: blocks as a JSON array (free-form tools)
  std::optional<int64_t> rows = std::nullopt;  // of data, in an answer that has them
};

// An argument that a modern POST repeats in the header Mcp-Param-<header> (protocol.md 7.6).
struct ParamHeader {
  std::string property;
  std::string header;
};

struct Tool {
  ToolInfo info;
  const json::Shape* input = nullptr;   // object shape
  const json::Shape* output = nullptr;  // object shape
  // Instead of both: the input schema as it stands. For Registry::AddFreeFormTool alone.
  std::string input_schema;
  std::vector<ParamHeader> param_headers;
  // Keeps a table built at run time alive (saved queries); empty otherwise.
  std::shared_ptr<const void> shape_owner;
  // `arguments` is read before the first suspension; the context outlives the coroutine.
  std::function<Task<Answer>(json::View arguments, CallContext& context)> call;
};

// The coroutine of a tool. It must not use `arguments` of other calls; `In` is moved into it.
template <class In, class Out>
using ToolFunction = std::function<Task<Out>(In in, CallContext& context)>;
template <class Out>
using Rendering = void (*)(const Out& out, Text& text);

namespace internal {
// Where the arguments of a call go, and what is told of them.
struct DecodeTarget {
  const json::Shape& shape;
  void* out;  // the struct of that shape
  RepairCounts& repairs;
};
// Decode with repairs; the error is the finished "invalid_arguments".
[[nodiscard]] Status DecodeTool(const ToolInfo& info, json::View arguments,
                                const DecodeTarget& target);

template <class In, class Out>
Task<Answer> RunTool(std::shared_ptr<const ToolFunction<In, Out>> run, Rendering<Out> render, In in,
                     CallContext& context) {
  Result<Out> out = co_await (*run)(std::move(in), context);
  if (!out.has_value()) co_return Failure(std::move(out).error());
  Answer answer{.structured = json::Encode(*out), .text = {}};
  render(*out, answer.text);
  if constexpr (requires { out->rows_sent(); }) answer.rows = out->rows_sent();
  co_return answer;
}
template <class T>
Task<T> FailedTask(Error error) {
  co_return Failure(std::move(error));
}
}  // namespace internal

template <class In, class Out>
[[nodiscard]] Tool MakeTool(ToolInfo info, ToolFunction<In, Out> function, Rendering<Out> render) {
  auto run = std::make_shared<const ToolFunction<In, Out>>(std::move(function));
  Tool tool;
  tool.info = std::move(info);
  tool.input = &json::kShape<In>;
  tool.output = &json::kShape<Out>;
  tool.call = [run = std::move(run), render, shown = tool.info](
                  json::View arguments, CallContext& context) -> Task<Answer> {
    In in{};
    const internal::DecodeTarget target{json::kShape<In>, &in, context.repairs};
    if (Status decoded = internal::DecodeTool(shown, arguments, target); !decoded) {
      return internal::FailedTask<Answer>(std::move(decoded).error());
    }
    return internal::RunTool<In, Out>(run, render, std::move(in), context);
  };
  return tool;
}

}  // namespace ducat::mcp
