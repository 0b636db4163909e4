#include <algorithm>
#include <array>

#include "json/writer.h"
#include "worker/child/guard/guard.h"

namespace ducat::guard {
namespace {

struct CodeClass {
  std::string_view code;
  ErrorCode error;
};

// Codes of guard.md 7 that are no invalid argument.
constexpr std::array<CodeClass, 18> kClasses{
    {{"denied_keyword", ErrorCode::kPermissionDenied},
     {"denied_function", ErrorCode::kPermissionDenied},
     {"system_catalog_access", ErrorCode::kPermissionDenied},
     {"path_outside_data_dir", ErrorCode::kPermissionDenied},
     {"path_hidden", ErrorCode::kPermissionDenied},
     {"path_remote", ErrorCode::kPermissionDenied},
     {"file_access_denied", ErrorCode::kPermissionDenied},
     {"reader_option_denied", ErrorCode::kPermissionDenied},
     {"plan_operator_not_allowed", ErrorCode::kPermissionDenied},
     {"policy_denied", ErrorCode::kPermissionDenied},
     {"unknown_table", ErrorCode::kNotFound},
     {"unknown_column", ErrorCode::kNotFound},
     {"path_not_found", ErrorCode::kNotFound},
     {"query_too_complex", ErrorCode::kResourceExhausted},
     {"memory_limit", ErrorCode::kResourceExhausted},
     {"temp_limit", ErrorCode::kResourceExhausted},
     {"query_timeout", ErrorCode::kDeadlineExceeded},
     {"worker_crashed", ErrorCode::kUnavailable}}};

ErrorCode ClassOf(std::string_view code) {
  const auto found = std::ranges::find(kClasses, code, &CodeClass::code);
  return found == kClasses.end() ? ErrorCode::kInvalidArgument : found->error;
}

void TextOrNull(json::JsonWriter& writer, std::string_view name, const std::string& text) {
  writer.Key(name);
  if (text.empty()) {
    writer.Null();
  } else {
    writer.String(text);
  }
}

}  // namespace

Error ToError(const Verdict& verdict) {
  std::string data;
  json::JsonWriter writer(data);
  writer.BeginObject();
  writer.Key("position");
  if (verdict.position.has_value()) {
    writer.BeginObject();
    writer.Field("offset", verdict.position->offset);
    writer.Field("length", verdict.position->length);
    writer.Field("line", verdict.position->line);
    writer.Field("column", verdict.position->column);
    writer.EndObject();
  } else {
    writer.Null();
  }
  TextOrNull(writer, "token", verdict.token);
  TextOrNull(writer, "rule", verdict.rule);
  TextOrNull(writer, "suggestion", verdict.suggestion);
  writer.EndObject();
  return {.code = ClassOf(verdict.code),
          .reason = verdict.code,
          .message = verdict.message,
          .hint = verdict.hint,
          .retryable = verdict.code == "worker_crashed",
          .data = data.substr(1, data.size() - 2)};
}

}  // namespace ducat::guard
