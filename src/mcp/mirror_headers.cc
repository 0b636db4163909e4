#include "mcp/mirror_headers.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.h"
#include "mcp/revision.h"

namespace ducat::mcp {
namespace {

constexpr std::string_view kMarkStart = "=?base64?";
constexpr std::string_view kMarkEnd = "?=";

tl::unexpected<RpcError> Mismatch(std::string message) {
  return tl::unexpected(
      RpcError{.code = rpc::kHeaderMismatch, .message = std::move(message), .http_status = 400});
}

std::string Differs(std::string_view header, std::string_view member) {
  return "The header " + std::string(header) + " differs from " + std::string(member) +
         " in the body";
}

// RFC 4648 section 4 with its padding; strict.
std::optional<std::string> Base64Decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  if (text.find_first_of("-_=") != text.npos) return std::nullopt;
  std::string url(text);
  std::ranges::replace(url, '+', '-');
  std::ranges::replace(url, '/', '_');
  return Base64UrlDecode(url);
}

// Which member of params the header Mcp-Name repeats; empty for other methods.
std::string_view MirroredMember(std::string_view method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  if (method == "resources/read") return "uri";
  return method.starts_with("tasks/") ? "taskId" : "";
}

// Integers compare by value, so that 42 and 42.0 are the same.
bool SameValue(std::string_view header, json::View argument) {
  if (const auto text = argument.AsString()) return header == *text;
  if (const auto flag = argument.AsBoolean()) return header == (*flag ? "true" : "false");
  const auto equals = [header](auto value) {
    auto named = value;
    const char* first = header.data();
    const char* last = first + header.size();
    const auto [end, error] = std::from_chars(first, last, named);
    return error == std::errc() && end == last && named == value;
  };
  if (const auto integer = argument.AsInteger(); integer && equals(*integer)) return true;
  const auto number = argument.AsDouble();
  return number && equals(*number);
}

Params<void> CheckParamHeader(const HttpCaller& http, const ParamHeader& param,
                              json::View arguments) {
  const std::string name = std::string(kParamHeaderPrefix) + param.header;
  const std::string path = "params.arguments." + param.property;
  const auto header = http.Header(name);
  const json::View argument = arguments.Find(param.property).value_or(json::View());
  if (argument.IsNull()) {
    if (header) return Mismatch("The header " + name + " is there, but " + path + " is not");
    return {};
  }
  if (!header) return Mismatch("The header " + name + " must repeat " + path);
  const auto decoded = DecodeHeaderValue(*header);
  if (!decoded || !SameValue(*decoded, argument)) return Mismatch(Differs(name, path));
  return {};
}

}  // namespace

Params<void> CheckParamHeaders(const HttpCaller* http, std::span<const ParamHeader> headers,
                               json::View arguments) {
  if (http == nullptr) return {};
  for (const ParamHeader& param : headers) {
    if (auto checked = CheckParamHeader(*http, param, arguments); !checked) return checked;
  }
  return {};
}

std::optional<std::string> DecodeHeaderValue(std::string_view value) {
  value = Trim(value);
  if (value.size() < kMarkStart.size() + kMarkEnd.size() || !value.starts_with(kMarkStart) ||
      !value.ends_with(kMarkEnd)) {
    return std::string(value);
  }
  value.remove_prefix(kMarkStart.size());
  value.remove_suffix(kMarkEnd.size());
  auto decoded = Base64Decode(value);
  if (!decoded || !IsValidUtf8(*decoded)) return std::nullopt;
  return decoded;
}

bool NamesModern(const HttpCaller* http) {
  const auto version = http != nullptr ? http->Header(kVersionHeader) : std::nullopt;
  const auto revision = version ? ParseRevision(*version) : std::nullopt;
  return revision && IsModern(*revision);
}

Params<void> CheckPresentHeaders(const HttpCaller* http, std::string_view version,
                                 std::string_view method) {
  if (http == nullptr) return {};
  const auto named_version = http->Header(kVersionHeader);
  if (named_version && *named_version != version) {
    return Mismatch(Differs(kVersionHeader, kVersionKey));
  }
  const auto named_method = http->Header(kMethodHeader);
  if (named_method && *named_method != method) return Mismatch(Differs(kMethodHeader, "method"));
  return {};
}

Params<void> CheckRequiredHeaders(const HttpCaller* http) {
  if (http == nullptr) return {};
  for (const std::string_view name : {kVersionHeader, kMethodHeader}) {
    if (!http->Header(name)) {
      return Mismatch("Revision 2026-07-28 needs the header " + std::string(name));
    }
  }
  return {};
}

Params<void> CheckNameHeader(const HttpCaller* http, const Message& message) {
  if (http == nullptr) return {};
  const std::string_view member = MirroredMember(message.method);
  if (member.empty()) return {};
  const auto value = message.params.Find(member);
  const auto text = value ? value->AsString() : std::nullopt;
  if (!text) return {};
  const std::string path = "params." + std::string(member);
  const auto header = http->Header(kNameHeader);
  if (!header) {
    return Mismatch("The header " + std::string(kNameHeader) + " must repeat " + path);
  }
  const auto decoded = DecodeHeaderValue(*header);
  if (!decoded) {
    return Mismatch("The header " + std::string(kNameHeader) +
                    " is not valid base64 of UTF-8 text between its marks");
  }
  if (*decoded != *text) return Mismatch(Differs(kNameHeader, path));
  return {};
}

}  // namespace ducat::mcp
