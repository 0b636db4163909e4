#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace ducat {

namespace {

constexpr uint64_t kHighBits = 0x8080808080808080ULL;

constexpr bool InRange(unsigned char c, unsigned char low, unsigned char high) {
  return c >= low && c <= high;
}

// Length of the sequence that `lead` starts and the range of its second byte (Unicode, table 3-7).
struct LeadByte {
  uint8_t length = 1;
  unsigned char low = 0x80, high = 0xBF;
};

constexpr LeadByte ReadLead(unsigned char lead) {
  if (InRange(lead, 0xC2, 0xDF)) return {.length = 2};
  if (lead == 0xE0) return {.length = 3, .low = 0xA0};
  if (lead == 0xED) return {.length = 3, .high = 0x9F};
  if (InRange(lead, 0xE1, 0xEF)) return {.length = 3};
  if (lead == 0xF0) return {.length = 4, .low = 0x90};
  if (lead == 0xF4) return {.length = 4, .high = 0x8F};
  if (InRange(lead, 0xF1, 0xF3)) return {.length = 4};
  return {};
}

}  // namespace

Utf8Step NextUtf8(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {.length = 1, .valid = true};
  const LeadByte lead = ReadLead(byte(0));
  if (lead.length == 1) return {.length = 1, .valid = false};
  uint8_t length = 1;
  while (length < lead.length && length < text.size()) {
    const bool fits =
        length == 1 ? InRange(byte(1), lead.low, lead.high) : InRange(byte(length), 0x80, 0xBF);
    if (!fits) break;
    ++length;
  }
  return {.length = length, .valid = length == lead.length};
}

size_t AsciiPrefix(std::string_view text) {
  size_t i = 0;
  for (; i + 16 <= text.size(); i += 16) {
    std::array<uint64_t, 2> words{};
    std::memcpy(words.data(), text.data() + i, 16);
    if (((words[0] | words[1]) & kHighBits) != 0) break;
  }
  while (i < text.size() && static_cast<unsigned char>(text[i]) < 0x80) {
    ++i;
  }
  return i;
}

bool IsValidUtf8(std::string_view text) {
  for (size_t i = AsciiPrefix(text); i < text.size(); i += AsciiPrefix(text.substr(i))) {
    const Utf8Step step = NextUtf8(text.substr(i));
    if (!step.valid) return false;
    i += step.length;
  }
  return true;
}

std::string RepairUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t ascii = AsciiPrefix(text);
    out.append(text.substr(0, ascii));
    text.remove_prefix(ascii);
    if (text.empty()) break;
    const Utf8Step step = NextUtf8(text);
    out.append(step.valid ? text.substr(0, step.length) : kReplacementCharacter);
    text.remove_prefix(step.length);
  }
  return out;
}

void AppendUtf8(std::string& out, char32_t code_point) {
  const auto put = [&](char32_t value) { out.push_back(static_cast<char>(value)); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6)), put(0x80 | (code_point & 0x3F));
  } else if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    out.append(kReplacementCharacter);
  } else if (code_point < 0x10000) {
    put(0xE0 | (code_point >> 12)), put(0x80 | ((code_point >> 6) & 0x3F));
    put(0x80 | (code_point & 0x3F));
  } else {
    put(0xF0 | (code_point >> 18)), put(0x80 | ((code_point >> 12) & 0x3F));
    put(0x80 | ((code_point >> 6) & 0x3F)), put(0x80 | (code_point & 0x3F));
  }
}

size_t CountCodePoints(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string_view FirstCodePoints(std::string_view text, size_t count) {
  size_t i = 0;
  for (; i < text.size() && count > 0; --count) {
    i += NextUtf8(text.substr(i)).length;
  }
  return text.substr(0, i);
}

std::string_view ClipUtf8(std::string_view text, size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  size_t end = bytes_max;
  // A character has at most three bytes after its first.
  for (int back = 0; back < 3 && end > 0; ++back, --end) {
    if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80) break;
  }
  return text.substr(0, end);
}

std::string AsciiLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = AsciiLower(c);
  }
  return out;
}

std::string AsciiUpper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = AsciiUpper(c);
  }
  return out;
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return AsciiLower(x) == AsciiLower(y);
         });
}

std::string_view Trim(std::string_view text) {
  while (!text.empty() && IsAsciiBlank(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && IsAsciiBlank(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

std::string Base64UrlEncode(std::string_view bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  out.reserve((bytes.size() * 4 + 2) / 3);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k <= count; ++k) {
      out.push_back(kAlphabet[(group >> (18 - 6 * k)) & 63]);
    }
  }
  return out;
}

namespace {

constexpr std::array<int8_t, 256> kBase64UrlValues = [] {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < 26; ++i) {
    values['A' + i] = static_cast<int8_t>(i);
    values['a' + i] = static_cast<int8_t>(26 + i);
  }
  for (size_t i = 0; i < 10; ++i) {
    values['0' + i] = static_cast<int8_t>(52 + i);
  }
  values['-'] = 62;
  values['_'] = 63;
  return values;
}();

}  // namespace

std::optional<std::string> Base64UrlDecode(std::string_view text) {
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int8_t value = kBase64UrlValues[static_cast<unsigned char>(c)];
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      out.push_back(static_cast<char>(bits >> held & 0xFF));
    }
  }
  if ((bits & ((1U << held) - 1)) != 0) return std::nullopt;
  return out;
}

std::string WithThousands(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) {
    digits.insert(at -= 3, ",");
  }
  return digits;
}

std::string WithThousands(int64_t value) {
  if (value >= 0) return WithThousands(static_cast<uint64_t>(value));
  return "-" + WithThousands(uint64_t{0} - static_cast<uint64_t>(value));
}

namespace {

void AppendPadded(std::string& out, int64_t value, size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

std::string FormatUtc(WallTime time, bool with_millis) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const auto of_day = std::chrono::floor<std::chrono::milliseconds>(time - day);
  const int64_t millis = of_day.count();
  std::string out;
  AppendPadded(out, static_cast<int>(date.year()), 4);
  out += '-';
  AppendPadded(out, static_cast<unsigned>(date.month()), 2);
  out += '-';
  AppendPadded(out, static_cast<unsigned>(date.day()), 2);
  out += 'T';
  AppendPadded(out, millis / 3'600'000, 2);
  out += ':';
  AppendPadded(out, millis / 60'000 % 60, 2);
  out += ':';
  AppendPadded(out, millis / 1'000 % 60, 2);
  if (with_millis) {
    out += '.';
    AppendPadded(out, millis % 1'000, 3);
  }
  out += 'Z';
  return out;
}

}  // namespace

std::string Iso8601Utc(WallTime time) {
  return FormatUtc(time, false);
}
std::string Iso8601UtcMillis(WallTime time) {
  return FormatUtc(time, true);
}

}  // namespace ducat
