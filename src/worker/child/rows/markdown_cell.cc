#include "worker/child/rows/markdown_cell.h"

#include <array>

#include "base/hidden_characters.h"
#include "base/text.h"

namespace ducat::rows {
namespace {

// Printable ASCII that means nothing in a cell or a JSON string.
constexpr std::array<bool, 256> MakePlain() {
  std::array<bool, 256> plain{};
  for (size_t c = 0x20; c < 0x7F; ++c) {
    plain[c] = true;
  }
  for (const char c : {'|', '\\', '"'}) {
    plain[static_cast<unsigned char>(c)] = false;
  }
  return plain;
}
constexpr std::array<bool, 256> kPlain = MakePlain();

bool IsPlain(char c) {
  return kPlain[static_cast<unsigned char>(c)];
}

// "\u200b", "\u{e0041}": as a reader sees it; its backslash is escaped for JSON.
void AppendShown(std::string& out, char32_t code_point) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const unsigned digits = code_point > 0xFFFF ? 5 : 4;
  out.append("\\\\u");
  if (digits > 4) out.push_back('{');
  for (unsigned i = digits; i > 0; --i) {
    out.push_back(kDigits[code_point >> (4 * (i - 1)) & 15U]);
  }
  if (digits > 4) out.push_back('}');
}

// One ASCII character that is not plain.
void AppendSpecial(std::string& out, char c) {
  switch (c) {
    case '|':
      out.append("\\\\|");
      break;
    case '\\':
      out.append("\\\\\\\\");
      break;
    case '"':
      out.append("\\\"");
      break;
    case '\n':
      out.append("\\\\n");
      break;
    case '\r':
      out.append("\\\\r");
      break;
    case '\t':
      out.append("\\\\t");
      break;
    default:
      AppendShown(out, static_cast<unsigned char>(c));
      break;
  }
}

}  // namespace

void AppendMarkdownCell(std::string& out, std::string_view text) {
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && IsPlain(text[plain])) {
      ++plain;
    }
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) return;
    const Utf8Step step = NextUtf8(text);
    const std::string_view bytes = text.substr(0, step.length);
    if (!step.valid) {
      out.append(kReplacementCharacter);
    } else if (step.length == 1) {
      AppendSpecial(out, text[0]);
    } else if (const char32_t code_point = CodePointOf(bytes); IsHiddenCharacter(code_point)) {
      AppendShown(out, code_point);
    } else {
      out.append(bytes);
    }
    text.remove_prefix(step.length);
  }
}

}  // namespace ducat::rows
