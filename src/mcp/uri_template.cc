#include "mcp/uri_template.h"

#include "base/text.h"

namespace ducat::mcp {
namespace {

int HexValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = AsciiLower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> PercentDecode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = HexValue(text[i + 1]);
    const int low = HexValue(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return out;
}

bool IsHarmless(std::string_view value) {
  return !value.empty() && IsValidUtf8(value) && value.find('\0') == value.npos &&
         value.find('/') == value.npos && value.find("..") == value.npos;
}

}  // namespace

std::vector<std::string_view> TemplateVariables(std::string_view uri_template) {
  std::vector<std::string_view> names;
  while (true) {
    const size_t open = uri_template.find('{');
    if (open == uri_template.npos) return names;
    const size_t close = uri_template.find('}', open);
    if (close == uri_template.npos) return names;
    names.push_back(uri_template.substr(open + 1, close - open - 1));
    uri_template.remove_prefix(close + 1);
  }
}

std::optional<std::map<std::string, std::string>> MatchTemplate(std::string_view uri_template,
                                                                std::string_view uri) {
  std::map<std::string, std::string> values;
  while (true) {
    const size_t open = uri_template.find('{');
    const size_t close = open == uri_template.npos ? open : uri_template.find('}', open);
    if (close == uri_template.npos) {
      return uri == uri_template ? std::optional(std::move(values)) : std::nullopt;
    }
    if (!uri.starts_with(uri_template.substr(0, open))) return std::nullopt;
    uri.remove_prefix(open);
    const std::string name(uri_template.substr(open + 1, close - open - 1));
    uri_template.remove_prefix(close + 1);
    const std::string_view literal = uri_template.substr(0, uri_template.find('{'));
    const size_t end = literal.empty() ? uri.size() : uri.find(literal);
    if (end == uri.npos) return std::nullopt;
    auto value = PercentDecode(uri.substr(0, end));
    if (!value || !IsHarmless(*value)) return std::nullopt;
    values.insert_or_assign(name, *std::move(value));
    uri.remove_prefix(end);
  }
}

std::string EncodeVariable(std::string_view value) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  constexpr std::string_view kMarks = "-._~";
  std::string out;
  for (const char c : value) {
    const char lower = AsciiLower(c);
    if ((lower >= 'a' && lower <= 'z') || IsAsciiDigit(c) || kMarks.find(c) != kMarks.npos) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(kDigits[byte >> 4U]);
    out.push_back(kDigits[byte & 15U]);
  }
  return out;
}

}  // namespace ducat::mcp
