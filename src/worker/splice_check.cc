#include "worker/splice_check.h"

#include <bit>
#include <emmintrin.h>
#include <string>

namespace ducat::worker {
namespace {

constexpr size_t kBlockBytes = 64;

bool IsHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool IsEscape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'u':
      return true;
    default:
      return false;
  }
}

// Bit i of the result is the parity of the bits 0..i: from each odd quote up to before the next
// one.
uint64_t PrefixXor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  bits ^= bits << 32;
  return bits;
}

}  // namespace

bool Utf8Check::Feed(std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (needed_ > 0) {
      if (byte < low_ || byte > high_) return false;
      low_ = 0x80;
      high_ = 0xBF;
      --needed_;
    } else if (byte >= 0x80) {
      if (byte < 0xC2 || byte > 0xF4) return false;
      needed_ = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3;
      low_ = byte == 0xE0 ? 0xA0 : byte == 0xF0 ? 0x90 : 0x80;
      high_ = byte == 0xED ? 0x9F : byte == 0xF4 ? 0x8F : 0xBF;
    }
  }
  return true;
}

// What each of up to 64 bytes is, one bit a byte.
struct SpliceCheck::Masks {
  uint64_t control = 0, high = 0, quotes = 0, backslashes = 0, brackets = 0;

  explicit Masks(const char* bytes) {
    for (int part = 0; part < 4; ++part) {
      const __m128i in = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * part));
      const auto add = [part](uint64_t& mask, __m128i equal) {
        mask |= uint64_t{static_cast<uint16_t>(_mm_movemask_epi8(equal))} << (16 * part);
      };
      const __m128i folded = _mm_or_si128(in, _mm_set1_epi8(0x20));  // [ and { become {
      add(control, _mm_cmpeq_epi8(_mm_min_epu8(in, _mm_set1_epi8(0x1F)), in));
      add(high, in);
      add(quotes, _mm_cmpeq_epi8(in, _mm_set1_epi8('"')));
      add(backslashes, _mm_cmpeq_epi8(in, _mm_set1_epi8('\\')));
      add(brackets, _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')),
                                 _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))));
    }
  }
};

uint64_t SpliceCheck::EscapedBits(uint64_t backslashes, size_t size) {
  if (backslashes == 0 && !escape_next_) return 0;
  uint64_t escaped = escape_next_ ? 1 : 0;
  escape_next_ = false;
  uint64_t rest = backslashes & ~escaped;
  while (rest != 0) {
    const auto next = static_cast<size_t>(std::countr_zero(rest)) + 1;
    rest &= rest - 1;
    if (next == size) {
      escape_next_ = true;
      break;
    }
    escaped |= uint64_t{1} << next;
    rest &= ~(uint64_t{1} << next);
  }
  return escaped;
}

bool SpliceCheck::FeedHex(std::string_view bytes) {
  for (const char c : bytes) {
    if (hex_needed_ == 0) return true;
    if (!IsHex(c)) return false;
    --hex_needed_;
  }
  return true;
}

SpliceCheck::Fault SpliceCheck::FeedEscapes(std::string_view block, uint64_t escaped) {
  if (!FeedHex(block)) return Fault::kEscape;
  for (; escaped != 0; escaped &= escaped - 1) {
    const auto at = static_cast<size_t>(std::countr_zero(escaped));
    if (!IsEscape(block[at])) return Fault::kEscape;
    if (block[at] != 'u') continue;
    hex_needed_ = 4;
    if (!FeedHex(block.substr(at + 1))) return Fault::kEscape;
  }
  return Fault::kNone;
}

SpliceCheck::Fault SpliceCheck::FeedBrackets(std::string_view block, uint64_t brackets) {
  for (; brackets != 0; brackets &= brackets - 1) {
    const char c = block[static_cast<size_t>(std::countr_zero(brackets))];
    const bool brace = (c & 0x20) != 0;
    if (c == '[' || c == '{') {
      if (depth_ == kDepthMax) return Fault::kDepth;
      uint64_t& word = braces_[depth_ / 64];
      const uint64_t bit = uint64_t{1} << (depth_ % 64);
      word = brace ? word | bit : word & ~bit;
      ++depth_;
      continue;
    }
    if (depth_ == 0) return Fault::kBracket;
    --depth_;
    if (((braces_[depth_ / 64] >> (depth_ % 64)) & 1) != (brace ? 1 : 0)) return Fault::kBracket;
  }
  return Fault::kNone;
}

SpliceCheck::Fault SpliceCheck::FeedStrings(std::string_view block, const Masks& masks,
                                            uint64_t quotes, uint64_t backslashes) {
  const uint64_t inside = PrefixXor(quotes) ^ (in_string_ ? ~uint64_t{0} : 0);
  if ((backslashes & ~inside) != 0) return Fault::kOutside;
  if ((std::popcount(quotes) & 1) != 0) in_string_ = !in_string_;
  return FeedBrackets(block, masks.brackets & ~inside);
}

SpliceCheck::Fault SpliceCheck::FeedBlock(std::string_view block) {
  std::array<char, kBlockBytes> padded;
  const char* bytes = block.data();
  if (block.size() < kBlockBytes) {
    padded.fill(' ');
    block.copy(padded.data(), block.size());
    bytes = padded.data();
  }
  const Masks masks(bytes);
  if (masks.control != 0) return Fault::kControl;
  if ((masks.high != 0 || !utf8_.complete()) && !utf8_.Feed(block)) return Fault::kUtf8;
  const uint64_t escaped = EscapedBits(masks.backslashes, block.size());
  if (escaped != 0 || hex_needed_ != 0) {
    if (const Fault fault = FeedEscapes(block, escaped); fault != Fault::kNone) return fault;
  }
  const uint64_t quotes = masks.quotes & ~escaped;
  if (body_ == Body::kText) return quotes == 0 ? Fault::kNone : Fault::kQuote;
  return FeedStrings(block, masks, quotes, masks.backslashes & ~escaped);
}

Status SpliceCheck::Feed(std::string_view piece) {
  while (!piece.empty()) {
    const std::string_view block = piece.substr(0, kBlockBytes);
    const Fault fault = FeedBlock(block);
    if (fault != Fault::kNone) {
      constexpr std::array<std::string_view, 8> kFaults{"",
                                                        "a byte below 0x20",
                                                        "invalid UTF-8",
                                                        "a bare quote",
                                                        "a bracket that closes nothing of its kind",
                                                        "brackets nested too deep",
                                                        "a backslash outside a string",
                                                        "an invalid escape"};
      return Fail(ErrorCode::kInternal, "frame_error",
                  std::string(body_ == Body::kRows ? "ROWS" : "TEXT") + " holds " +
                      std::string(kFaults[static_cast<size_t>(fault)]) + " near byte " +
                      std::to_string(bytes_));
    }
    bytes_ += block.size();
    piece.remove_prefix(block.size());
  }
  return {};
}

Status SpliceCheck::Finish() const {
  const bool open = in_string_ || depth_ != 0 || escape_next_ || hex_needed_ != 0;
  if (!open && utf8_.complete()) return {};
  return Fail(ErrorCode::kInternal, "frame_error",
              std::string(body_ == Body::kRows ? "ROWS" : "TEXT") + " ends with something open");
}

}  // namespace ducat::worker
