// Methods that may take time: tools/call, resources/read, prompts/get.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "mcp/error_mapping.h"
#include "mcp/mirror_headers.h"
#include "mcp/server.h"
#include "mcp/wide_integers.h"

namespace ducat::mcp {
namespace {

std::vector<std::string> NearTools(std::string_view name, const Registry& registry) {
  std::vector<std::string_view> names;
  for (const auto& tool : registry.tools()) {
    names.push_back(tool->info.name);
  }
  return NearNames(name, names, 3, NearFallback::kContaining);
}

void AppendNear(const std::vector<std::string>& near, json::JsonWriter& writer) {
  if (near.empty()) return;
  writer.Key("didYouMean");
  writer.BeginArray();
  for (const std::string& other : near) {
    writer.String(other);
  }
  writer.EndArray();
}

RpcError Disabled(const DisabledTool& tool, std::string_view name,
                  const std::vector<std::string>& near) {
  RpcError error{
      .code = rpc::kInvalidParams,
      .message = "Tool " + std::string(name) + " not found: " + tool.why + ". " + tool.hint};
  json::JsonWriter writer(error.data);
  writer.BeginObject();
  writer.Field("reason", tool.reason);
  writer.Key("recovery");
  writer.BeginObject();
  writer.Field("hint", tool.hint);
  writer.EndObject();
  AppendNear(near, writer);
  writer.EndObject();
  return error;
}

RpcError UnknownTool(std::string_view name, const Registry& registry) {
  const std::vector<std::string> near = NearTools(name, registry);
  if (const DisabledTool* disabled = registry.FindDisabledTool(name)) {
    return Disabled(*disabled, name, disabled->name == name ? std::vector<std::string>{} : near);
  }
  RpcError error{.code = rpc::kInvalidParams,
                 .message = "Tool " + std::string(name) + " not found"};
  if (near.empty()) return error;
  json::JsonWriter writer(error.data);
  writer.BeginObject();
  AppendNear(near, writer);
  writer.EndObject();
  return error;
}

// The arguments as an object, or null for none (protocol.md 14.3, 1).
Params<json::View> ReadArguments(json::View params, json::Document& document) {
  const json::View value = params.Find("arguments").value_or(json::View());
  if (value.IsNull() || value.IsObject()) return value;
  if (const auto text = value.AsString()) {
    const auto parsed = ParseWithWideIntegers(document, *text, ArgumentsAt::kRoot);
    if (parsed && parsed->IsObject()) return *parsed;
  }
  return InvalidParams("params.arguments must be an object");
}

const Prompt* FindPrompt(const Registry& registry, std::string_view name) {
  const auto found = std::ranges::find(registry.prompts(), name, &Prompt::name);
  return found == registry.prompts().end() ? nullptr : &*found;
}

Params<void> CheckPromptArguments(const Prompt& prompt,
                                  const std::map<std::string, std::string>& given) {
  for (const PromptArgument& argument : prompt.arguments) {
    if (argument.required && !given.contains(argument.name)) {
      return InvalidParams("Prompt " + prompt.name + " needs the argument " + argument.name);
    }
  }
  for (const auto& [name, value] : given) {
    if (std::ranges::find(prompt.arguments, name, &PromptArgument::name) ==
        prompt.arguments.end()) {
      return InvalidParams("Prompt " + prompt.name + " has no argument " + name);
    }
  }
  return {};
}

// `data` of the error names the capability: "sampling":{}.
RpcError MissingCapability(const Error& error) {
  return {.code = rpc::kMissingCapability,
          .message = error.message,
          .data = "{\"requiredCapabilities\":{" + error.data + "}}",
          .http_status = 400};
}

Error ResultTooLarge(size_t bytes, size_t limit) {
  return {.code = ErrorCode::kResourceExhausted,
          .reason = std::string(reason::kResultTooLarge),
          .message = "The result has " + WithThousands(uint64_t{bytes}) + " bytes; at most " +
                     WithThousands(uint64_t{limit}) + " can be sent.",
          .hint = "Ask for fewer rows or columns, or page through the result.",
          .data = {}};
}

}  // namespace

Params<void> Server::PrepareToolCall(Request& request) {
  const auto name =
      RequiredString(request.params, "name", "params.name", options_.limits.tool_name_bytes_max);
  if (!name) return tl::unexpected(name.error());
  request.tool = registry_.FindTool(*name);
  if (!request.tool) return tl::unexpected(UnknownTool(*name, registry_));
  const auto arguments = ReadArguments(request.params, request.arguments_document);
  if (!arguments) return tl::unexpected(arguments.error());
  request.arguments = *arguments;
  if (IsModern(request.revision)) {
    if (auto same = CheckParamHeaders(request.http, request.tool->param_headers, *arguments);
        !same) {
      return same;
    }
  }
  if (const auto declared = request.tool->info.deadline; declared.count() > 0) {
    request.time_limit = std::min(request.time_limit, declared);
  }
  if (auto prepared = PrepareInquiry(request, request.tool->info.asks); !prepared) return prepared;
  return PrepareTask(request);
}

boost::asio::awaitable<Server::Reply> Server::CallTool(RequestPtr request) {
  Result<Answer> answer = co_await request->tool->call(request->arguments, request->context);
  if (request->answered) co_return std::string();
  if (!answer) co_return HandlerFailure(*request, answer.error(), "");
  if (answer->structured.empty() && answer->content.empty()) {
    const Error missing = Internal("a success without structured content").value();
    co_return ToolFailure(*request, missing);
  }
  ResultWriter out(request->id, request->revision, modern_meta_);
  const size_t before = out.json().out().size();
  AppendToolAnswer(*answer, options_.text, request->revision, out.json());
  const size_t bytes = out.json().out().size() - before;
  if (bytes > options_.limits.result_bytes_max) {
    const Error error = ResultTooLarge(bytes, options_.limits.result_bytes_max);
    co_return ToolFailure(*request, error);
  }
  LogOutcome(*request, "ok", "", "");
  if (request->observed) request->observed->rows = answer->rows;
  co_return out.Finish();
}

boost::asio::awaitable<Server::Reply> Server::ReadResource(RequestPtr request) {
  const auto wanted =
      RequiredString(request->params, "uri", "params.uri", options_.limits.uri_bytes_max);
  if (!wanted) co_return tl::unexpected(wanted.error());
  const std::string uri(*wanted);
  const auto provider =
      std::ranges::find_if(registry_.resources(), [&uri](const ResourceProvider& candidate) {
        return candidate.owns && candidate.read && candidate.owns(uri);
      });
  if (provider == registry_.resources().end()) {
    const Error unknown{.code = ErrorCode::kNotFound,
                        .reason = std::string(reason::kResourceNotFound),
                        .message = "Resource " + uri + " not found",
                        .data = {}};
    co_return tl::unexpected(
        ToRpcError(unknown, request->revision, request->context.request_id, uri));
  }
  // The provider may move while the coroutine is suspended; its function may not.
  const auto read = provider->read;
  if (auto prepared = PrepareInquiry(*request, provider->asks); !prepared) {
    co_return tl::unexpected(std::move(prepared).error());
  }
  Result<ResourceContents> contents = co_await read(uri, request->context);
  if (request->answered) co_return std::string();
  if (!contents) co_return HandlerFailure(*request, contents.error(), uri);
  ResultWriter out(request->id, request->revision, modern_meta_);
  out.json().Key("contents");
  out.json().BeginArray();
  AppendContents(*contents, request->revision, out.json());
  out.json().EndArray();
  const bool is_retry = request->inquiry && request->inquiry->is_retry;
  out.Cacheable(is_retry ? 0 : contents->ttl_ms, !is_retry && !request->grant);
  LogOutcome(*request, "ok", "", "");
  co_return out.Finish();
}

boost::asio::awaitable<Server::Reply> Server::GetPrompt(RequestPtr request) {
  const auto name =
      RequiredString(request->params, "name", "params.name", options_.limits.tool_name_bytes_max);
  if (!name) co_return tl::unexpected(name.error());
  const Prompt* prompt = FindPrompt(registry_, *name);
  if (prompt == nullptr) co_return InvalidParams("Prompt " + std::string(*name) + " not found");
  auto arguments = StringMap(request->params, "arguments", "params.arguments");
  if (!arguments) co_return tl::unexpected(arguments.error());
  if (auto checked = CheckPromptArguments(*prompt, *arguments); !checked) {
    co_return tl::unexpected(checked.error());
  }
  if (auto prepared = PrepareInquiry(*request, prompt->asks); !prepared) {
    co_return tl::unexpected(std::move(prepared).error());
  }
  const auto get = prompt->get;
  const std::string description = prompt->description;
  Result<std::vector<PromptBlock>> blocks = co_await get(*std::move(arguments), request->context);
  if (request->answered) co_return std::string();
  if (!blocks) co_return HandlerFailure(*request, blocks.error(), "");
  ResultWriter out(request->id, request->revision, modern_meta_);
  out.json().Field("description", description);
  out.json().Key("messages");
  AppendPromptMessages(*blocks, request->revision, out.json());
  LogOutcome(*request, "ok", "", "");
  co_return out.Finish();
}

// What a handler failed with: questions to the client, an error of the protocol, or one of its own.
Server::Reply Server::HandlerFailure(Request& request, const Error& error, std::string_view uri) {
  if (EndsWithQuestions(request, error)) return InputRequired(request);
  if (error.reason == reason::kMissingCapability && IsModern(request.revision)) {
    return tl::unexpected(MissingCapability(error));
  }
  if (request.tool) {
    // A task whose call broke has no result; a call has one that says so.
    const bool failed = request.task && error.code == ErrorCode::kInternal;
    if (!failed) return ToolFailure(request, error);
  }
  LogOutcome(request, "error", error.reason, error.message);
  return tl::unexpected(ToRpcError(error, request.revision, request.context.request_id, uri));
}

std::string Server::ToolFailure(Request& request, const Error& error) {
  const ToolInfo& info = request.tool->info;
  const std::string& request_id = request.context.request_id;
  LogOutcome(request, "error", error.reason, error.message);
  if (request.observed) request.observed->code = ToolErrorCode(error);
  ResultWriter out(request.id, request.revision, modern_meta_);
  AppendToolError(ErrorText(error, info, request_id), ErrorStructured(error, info, request_id),
                  request.revision, out.json());
  return out.Finish();
}

void Server::LogOutcome(const Request& request, std::string_view outcome, std::string_view reason,
                        std::string_view detail) {
  if (request.observed) {
    request.observed->outcome = outcome;
    request.observed->reason = reason;
  }
  const bool internal = reason == reason::kInternalError;
  const LogLevel level = internal             ? LogLevel::kError
                         : outcome == "error" ? LogLevel::kInfo
                                              : LogLevel::kDebug;
  if (!log_.Enabled(level)) return;
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(timers_.clock().Now() -
                                                                          request.started_at);
  const std::string ms = std::to_string(took.count());
  // What a failure says may hold data, so it is kept for defects alone.
  log_.Write(level, "request",
             {{"rid", request.context.request_id},
              {"transport", request.transport},
              {"era", IsModern(request.revision) ? "modern" : "legacy"},
              {"rev", Name(request.revision)},
              {"method", Name(request.method)},
              {"tool", request.tool ? std::string_view(request.tool->info.name) : ""},
              {"principal", request.context.principal},
              {"tenant", request.context.tenant},
              {"ms", ms},
              {"outcome", outcome},
              {"reason", reason},
              {"trace", request.context.trace.parent},
              {"detail", internal ? detail : ""}});
}

}  // namespace ducat::mcp
