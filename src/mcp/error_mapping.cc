#include "mcp/error_mapping.h"

#include "json/writer.h"
#include "mcp/text.h"

namespace ducat::mcp {
namespace {

struct Numbers {
  int tool;
  int rpc;
  bool retryable;
};

Numbers NumbersOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return {-32007, rpc::kInvalidParams, false};
    case ErrorCode::kNotFound:
      return {-32001, rpc::kInvalidParams, false};
    case ErrorCode::kPermissionDenied:
      return {-32005, rpc::kInvalidParams, false};
    case ErrorCode::kUnauthenticated:
      return {-32006, rpc::kInvalidParams, false};
    case ErrorCode::kFailedPrecondition:
      return {-32002, rpc::kInvalidParams, false};
    case ErrorCode::kResourceExhausted:
      return {-32003, rpc::kOverloaded, true};
    case ErrorCode::kDeadlineExceeded:
      return {-32004, rpc::kDeadlineExceeded, true};
    case ErrorCode::kCancelled:
      return {-32011, rpc::kInternalError, false};
    case ErrorCode::kUnavailable:
      return {-32000, rpc::kOverloaded, true};
    case ErrorCode::kInternal:
      return {-32603, rpc::kInternalError, false};
  }
  return {-32603, rpc::kInternalError, false};
}

std::string MessageFor(const Error& error) {
  if (error.code == ErrorCode::kInternal) return std::string(kInternalErrorText);
  return CleanForDisplay(error.message);
}
std::string HintFor(const Error& error) {
  return error.code == ErrorCode::kInternal ? std::string() : CleanForDisplay(error.hint);
}
std::string_view ReasonFor(const Error& error) {
  return error.code == ErrorCode::kInternal || error.reason.empty() ? reason::kInternalError
                                                                    : error.reason;
}

void AppendData(const Error& error, bool retryable, std::string_view request_id,
                json::JsonWriter& writer) {
  writer.Field("reason", ReasonFor(error));
  if (const std::string hint = HintFor(error); !hint.empty()) {
    writer.Key("recovery");
    writer.BeginObject();
    writer.Field("hint", hint);
    writer.EndObject();
  }
  writer.Field("retryable", retryable);
  writer.Field("requestId", request_id);
}

}  // namespace

int ToolErrorCode(const Error& error) {
  if (error.reason == reason::kInvalidArguments) return rpc::kInvalidParams;
  return NumbersOf(error.code).tool;
}

int RpcErrorCode(const Error& error, Revision revision) {
  if (error.reason == reason::kResourceNotFound) {
    return IsModern(revision) ? rpc::kInvalidParams : rpc::kResourceNotFound;
  }
  if (error.reason == reason::kRateLimited) return rpc::kRateLimited;
  return NumbersOf(error.code).rpc;
}

bool IsRetryable(const Error& error, const ToolInfo* info) {
  if (info != nullptr) {
    for (const DeclaredError& declared : info->errors) {
      if (declared.reason == error.reason && declared.retryable) return *declared.retryable;
    }
  }
  if (error.reason == reason::kResultTooLarge) return false;  // it would be as large again
  return error.retryable || NumbersOf(error.code).retryable;
}

std::string ErrorText(const Error& error, const ToolInfo& info, std::string_view request_id) {
  const std::string message = MessageFor(error);
  const std::string hint = HintFor(error);
  const bool show_hint = !hint.empty() && message.find(hint) == message.npos;
  const std::string reason(ReasonFor(error));
  std::string text;
  if (info.error_style == ErrorStyle::kBracketed) {
    text = "[" + reason + "] " + message;
    if (show_hint) text += "\nHint: " + hint;
  } else {
    text = "Error: " + message;
    if (show_hint) text += "\n\nRecovery: " + hint;
  }
  text +=
      "\n\n(reason " + reason + (IsRetryable(error, &info) ? " · retryable" : " · not retryable");
  text.append(" · request ").append(request_id).append(")");
  return text;
}

std::string ErrorStructured(const Error& error, const ToolInfo& info, std::string_view request_id) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Key("error");
  writer.BeginObject();
  writer.Field("code", ToolErrorCode(error));
  writer.Field("message", MessageFor(error));
  writer.Key("data");
  writer.BeginObject();
  AppendData(error, IsRetryable(error, &info), request_id, writer);
  writer.EndObject();
  if (error.code != ErrorCode::kInternal && !error.data.empty()) {
    out.insert(out.size() - 1, "," + error.data);
  }
  writer.EndObject();
  writer.EndObject();
  return out;
}

RpcError ToRpcError(const Error& error, Revision revision, std::string_view request_id,
                    std::string_view uri) {
  RpcError rpc{.code = RpcErrorCode(error, revision), .message = MessageFor(error)};
  json::JsonWriter writer(rpc.data);
  writer.BeginObject();
  if (!uri.empty()) writer.Field("uri", uri);
  AppendData(error, IsRetryable(error, nullptr), request_id, writer);
  writer.EndObject();
  if (error.code != ErrorCode::kInternal && !error.data.empty()) {
    rpc.data.insert(rpc.data.size() - 1, "," + error.data);
  }
  return rpc;
}

// Short on purpose, for every tool of a list repeats it: when a reason occurs is on the reference
// page, and open objects are left to the default of additionalProperties.
std::string ErrorSchema(const ToolInfo& info) {
  std::string reason;
  json::JsonWriter writer(reason);
  writer.BeginObject();
  writer.RawField("type", "\"string\"");
  if (!info.errors.empty()) {
    writer.Key("examples");
    writer.BeginArray();
    for (const DeclaredError& error : info.errors) {
      writer.String(error.reason);
    }
    writer.EndArray();
  }
  writer.EndObject();
  return R"({"type":"object","properties":{"code":{"type":"integer"},"message":{"type":"string"},)"
         R"("data":{"type":"object","properties":{"reason":)" +
         reason +
         R"(,"recovery":{"type":"object","properties":{"hint":{"type":"string"}}},)"
         R"("retryable":{"type":"boolean"},"requestId":{"type":"string"}}}},)"
         R"("required":["code","message"]})";
}

}  // namespace ducat::mcp
