#include "base/path_text.h"

#include <cstddef>

#include "base/text.h"

namespace ducat {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";
constexpr size_t kEscapeBytes = 4;  // \xHH

void AppendEscape(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out.append("\\x");
  out += kDigits[byte >> 4U];
  out += kDigits[byte & 0xFU];
}

}  // namespace

std::string ShownPath(std::string_view path) {
  if (IsValidUtf8(path)) return std::string(path);
  std::string shown;
  while (!path.empty()) {
    const Utf8Step step = NextUtf8(path);
    const std::string_view part = path.substr(0, step.length);
    path.remove_prefix(part.size());
    if (step.valid && part != "\\") {
      shown += part;
      continue;
    }
    for (const char c : part) {
      AppendEscape(shown, c);
    }
  }
  return shown;
}

std::optional<std::string> PathOfShown(std::string_view shown) {
  std::string path;
  for (size_t at = 0; at < shown.size(); ++at) {
    if (shown[at] != '\\') {
      path += shown[at];
      continue;
    }
    const std::string_view escape = shown.substr(at, kEscapeBytes);
    if (escape.size() < kEscapeBytes || escape[1] != 'x') return std::nullopt;
    const size_t high = kDigits.find(escape[2]);
    const size_t low = kDigits.find(escape[3]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    path += static_cast<char>(high << 4U | low);
    at += kEscapeBytes - 1;
  }
  return path;
}

}  // namespace ducat
