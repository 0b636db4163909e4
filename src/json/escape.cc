#include "json/escape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/text.h"
#include "json/writer.h"

namespace ducat::json {

namespace {

// What AppendEscaped has to look at: quotes, backslashes, controls, and the first byte of a
// character beyond ASCII (which may be ill-formed).
constexpr bool NeedsCare(unsigned char c) {
  return c < 0x20 || c == '"' || c == '\\' || c >= 0x80;
}

void AppendEscape(std::string& out, unsigned char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto two = [&](char letter) { out.push_back('\\'), out.push_back(letter); };
  switch (c) {
    case '"':
    case '\\':
      return two(static_cast<char>(c));
    case '\n':
      return two('n');
    case '\r':
      return two('r');
    case '\t':
      return two('t');
    case '\b':
      return two('b');
    case '\f':
      return two('f');
    default:
      out.append("\\u00", 4);
      out.push_back(kHex[c >> 4]);
      out.push_back(kHex[c & 15]);
  }
}

constexpr int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The unit of a \uXXXX at the start of `text`.
std::optional<char32_t> HexUnit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return std::nullopt;
  char32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = HexValue(c);
    if (digit < 0) return std::nullopt;
    unit = unit << 4 | static_cast<char32_t>(digit);
  }
  return unit;
}

constexpr bool IsHighSurrogate(char32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
constexpr bool IsLowSurrogate(char32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

EscapeStep NextUnicodeEscape(std::string_view text) {
  const std::optional<char32_t> unit = HexUnit(text);
  if (!unit) return {.length = std::min<size_t>(2, text.size())};
  if (IsLowSurrogate(*unit)) return {.length = 6, .code_point = U'\uFFFD'};
  if (!IsHighSurrogate(*unit)) return {.length = 6, .code_point = *unit, .valid = true};
  const std::optional<char32_t> low = HexUnit(text.substr(6));
  if (!low || !IsLowSurrogate(*low)) return {.length = 6, .code_point = U'\uFFFD'};
  const char32_t code_point = 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00);
  return {.length = 12, .code_point = code_point, .valid = true};
}

}  // namespace

size_t NextNotPlain(std::string_view text, size_t i) {
#ifdef __SSE2__
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i blank = _mm_set1_epi8(0x20);
  for (; i + 16 <= text.size(); i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + i));
    // Signed comparison: bytes from 0x80 on are negative, so below a blank like the controls.
    const __m128i care =
        _mm_or_si128(_mm_cmplt_epi8(bytes, blank),
                     _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
    const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(care));
    if (mask != 0) return i + static_cast<size_t>(std::countr_zero(mask));
  }
#endif
  while (i < text.size() && !NeedsCare(static_cast<unsigned char>(text[i]))) {
    ++i;
  }
  return i;
}

void AppendEscaped(std::string& out, std::string_view text) {
  size_t start = 0;
  size_t i = NextNotPlain(text, 0);
  while (i < text.size()) {
    const auto c = static_cast<unsigned char>(text[i]);
    Utf8Step step{.length = 1, .valid = false};
    if (c >= 0x80) step = NextUtf8(text.substr(i));
    if (!step.valid) {
      out.append(text, start, i - start);
      if (c < 0x80) {
        AppendEscape(out, c);
      } else {
        out.append(kReplacementCharacter);
      }
      start = i + step.length;
    }
    i += step.length;
    // Text beyond ASCII mostly goes on with such text.
    if (i < text.size() && !NeedsCare(static_cast<unsigned char>(text[i]))) {
      i = NextNotPlain(text, i);
    }
  }
  out.append(text, start, text.size() - start);
}

EscapeStep NextEscape(std::string_view text) {
  if (text.size() < 2) return {};
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::array<char32_t, 8> kValues{'"', '\\', '/', '\b', '\f', '\n', '\r', '\t'};
  if (text[1] == 'u') return NextUnicodeEscape(text);
  const size_t letter = kLetters.find(text[1]);
  if (letter == std::string_view::npos) return {.length = 2};
  return {.length = 2, .code_point = kValues[letter], .valid = true};
}

std::string Unescape(std::string_view escaped) {
  std::string out;
  out.reserve(escaped.size());
  while (!escaped.empty()) {
    const size_t plain = std::min(escaped.find('\\'), escaped.size());
    out.append(escaped.substr(0, plain));
    escaped.remove_prefix(plain);
    if (escaped.empty()) break;
    const EscapeStep step = NextEscape(escaped);
    if (step.valid || step.code_point != 0) {
      AppendUtf8(out, step.code_point);
    } else {
      out.append(escaped.substr(0, step.length));  // no escape at all: kept as it is
    }
    escaped.remove_prefix(step.length);
  }
  return out;
}

}  // namespace ducat::json
