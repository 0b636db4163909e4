#include "worker/child/engine/engine_error.h"

#include <charconv>

#include "json/view.h"

namespace ducat::engine {
namespace {

constexpr std::string_view kPrefixEnd = " Error: ";

std::string MemberText(json::View object, std::string_view key) {
  std::string text;
  if (const auto member = object.Find(key); member.has_value()) {
    text = std::string(member->AsString().value_or(std::string_view{}));
  }
  return text;
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return {};
  // The engine's "no position".
  if (number == UINT64_MAX) return {};
  return number;
}

// Commas separate candidates; those inside brackets belong to a signature.
std::vector<std::string> SplitCandidates(std::string_view text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth <= 0) {
      parts.push_back(std::exchange(part, {}));
    } else {
      part.push_back(c);
    }
  }
  if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}

// "Binder Error: text" without JSON: the words before it are the type.
EngineError FromPlainText(std::string_view text) {
  EngineError error{.type = "Unknown", .message = std::string(text)};
  const size_t end = text.find(kPrefixEnd);
  if (end != std::string_view::npos && end > 0 && end < 40) {
    error.type = std::string(text.substr(0, end));
    error.message = std::string(text.substr(end + kPrefixEnd.size()));
  }
  return error;
}

}  // namespace

EngineError ParseEngineError(std::string_view text) {
  // The object starts the text, or follows "Parser Error: ".
  const size_t start = text.find('{');
  const bool is_prefixed =
      start != std::string_view::npos &&
      (start == 0 || (start >= kPrefixEnd.size() &&
                      text.substr(start - kPrefixEnd.size(), kPrefixEnd.size()) == kPrefixEnd));
  if (!is_prefixed) return FromPlainText(text);
  json::Document document;
  const auto root = document.Parse(text.substr(start), {.refuse_duplicate_keys = false});
  if (!root.has_value() || !root->Find("exception_message").has_value()) {
    return FromPlainText(text);
  }
  EngineError error{.type = MemberText(*root, "exception_type"),
                    .subtype = MemberText(*root, "error_subtype"),
                    .message = MemberText(*root, "exception_message"),
                    .position = ParseNumber(MemberText(*root, "position")),
                    .name = MemberText(*root, "name"),
                    .candidates = SplitCandidates(MemberText(*root, "candidates"))};
  return error;
}

}  // namespace ducat::engine
