#include "packs/analyst/tools/markdown_table.h"

#include "base/hidden_characters.h"
#include "base/result.h"
#include "base/text.h"
#include "json/writer.h"

namespace ducat::analyst {
namespace {

void AppendUnit(std::string& out, char32_t unit) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out.append("\\u");
  for (unsigned shift = 16; shift > 0; shift -= 4) {
    out.push_back(kDigits[unit >> (shift - 4) & 15U]);
  }
}

void AppendEscape(std::string& out, char32_t c) {
  constexpr char32_t kAstral = 0x10000;
  if (c < kAstral) return AppendUnit(out, c);
  AppendUnit(out, 0xD800 + ((c - kAstral) >> 10U));
  AppendUnit(out, 0xDC00 + ((c - kAstral) & 0x3FFU));
}

// Every hidden character escaped.
std::string ShownJsonString(std::string_view text) {
  std::string json;
  json::JsonWriter(json).String(text);
  std::string shown;
  for (std::string_view rest = json; !rest.empty();) {
    const std::string_view bytes = rest.substr(0, NextUtf8(rest).length);
    const char32_t c = CodePointOf(bytes);
    if (IsHiddenCharacter(c)) {
      AppendEscape(shown, c);
    } else {
      shown += bytes;
    }
    rest.remove_prefix(bytes.size());
  }
  return shown;
}

}  // namespace

MarkdownTable::MarkdownTable(std::initializer_list<std::string_view> headers)
    : columns_(headers.size()) {
  Row(headers);
  table_ += '|';
  for (size_t i = 0; i < columns_; ++i) {
    table_ += "---|";
  }
  table_ += '\n';
}

void MarkdownTable::Row(std::initializer_list<std::string_view> cells) {
  CHECK(cells.size() == columns_);
  table_ += '|';
  for (const std::string_view cell : cells) {
    table_ += mcp::MarkdownCell(cell);
    table_ += '|';
  }
  table_ += '\n';
}

std::string_view MarkdownTable::Name(std::string_view name) {
  if (mcp::CleanForDisplay(mcp::MarkdownCell(name)) == name) return name;
  const std::string line = "as it is: " + Verbatim(name) + "\n";
  if (names_.find(line) == std::string::npos) names_ += line;
  return name;
}

std::string Verbatim(std::string_view text) {
  if (mcp::SingleLine(text) == text) return std::string(text);
  return "(as a JSON string) " + ShownJsonString(text);
}

std::string CountText(const std::optional<int64_t>& count) {
  return count.has_value() ? std::to_string(*count) : "?";
}

std::string Counted(int64_t count, std::string_view noun) {
  std::string text = std::to_string(count);
  text.append(" ").append(noun);
  if (count != 1) text += 's';
  return text;
}

std::string Milliseconds(double ms) {
  std::string text;
  json::AppendShortest(text, ms);
  return text + " ms";
}

}  // namespace ducat::analyst
