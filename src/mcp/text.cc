#include "mcp/text.h"

#include "base/hidden_characters.h"
#include "base/text.h"
#include "json/writer.h"

namespace ducat::mcp {
namespace {

void AppendShown(std::string& out, char32_t c) {
  constexpr char kDigits[] = "0123456789abcdef";
  out.append("\\u");
  const int digits = c > 0xFFFF ? 5 : 4;
  if (digits > 4) out.push_back('{');
  for (int i = digits - 1; i >= 0; --i) {
    out.push_back(kDigits[(c >> (4U * static_cast<unsigned>(i))) & 15U]);
  }
  if (digits > 4) out.push_back('}');
}

// Length of the start that is printable ASCII, tabs or newlines: most text, whole.
size_t PlainPrefix(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\t' && c != '\n') || c >= 0x7F) break;
    ++i;
  }
  return i;
}

}  // namespace

std::string CleanForDisplay(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t plain = PlainPrefix(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Utf8Step step = NextUtf8(text);
    const std::string_view bytes = text.substr(0, step.length);
    if (!step.valid) {
      out.append(kReplacementCharacter);
    } else if (const char32_t c = CodePointOf(bytes);
               IsHiddenCharacter(c) && c != '\t' && c != '\n') {
      AppendShown(out, c);
    } else {
      out.append(bytes);
    }
    text.remove_prefix(step.length);
  }
  return out;
}

std::string SingleLine(std::string_view text) {
  std::string line;
  for (const char c : CleanForDisplay(text)) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else {
      line += c;
    }
  }
  return line;
}

std::string MarkdownCell(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '|':
      case '\\':
        out.push_back('\\');
        out.push_back(text[i]);
        break;
      case '\n':
        out.append("\\n");
        break;
      case '\r':
        out.append("\\r");
        break;
      default:
        out.push_back(text[i]);
    }
  }
  return out;
}

Text& Text::Add(std::string_view plain) {
  if (PlainPrefix(plain) == plain.size()) {
    json::AppendEscaped(escaped_, plain);
  } else {
    json::AppendEscaped(escaped_, CleanForDisplay(plain));
  }
  return *this;
}

Text& Text::Line(std::string_view plain) {
  json::AppendEscaped(escaped_, SingleLine(plain));
  escaped_.append("\\n");
  return *this;
}

Text& Text::AddEscaped(std::string_view escaped) {
  escaped_.append(escaped);
  return *this;
}

Text& Text::Notice(std::string_view plain) {
  notices_.push_back(SingleLine(plain));
  return *this;
}

}  // namespace ducat::mcp
