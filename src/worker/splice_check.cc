#include "worker/splice_check.h"

#include <bit>
#include <emmintrin.h>
#include <string>

namespace ducat::worker {
namespace {

constexpr size_t kBlockBytes = kUtf8BlockBytes;

bool IsHex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

uint64_t Bits(__m128i bytes) {
  return static_cast<uint16_t>(_mm_movemask_epi8(bytes));
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

// What each of up to 64 bytes is, one bit a byte.
struct SpliceCheck::Masks {
  uint64_t control = 0, high = 0, quotes = 0, backslashes = 0, brackets = 0;

  explicit Masks(const char* bytes) {
    for (size_t part = 0; part < 4; ++part) {
      const __m128i in =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + size_t{16} * part));
      const auto add = [part](uint64_t& mask, __m128i equal) {
        mask |= Bits(equal) << (16 * part);
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

// Which bytes may follow a backslash.
struct EscapeMasks {
  uint64_t simple = 0, unicode = 0;

  explicit EscapeMasks(const char* bytes) {
    for (size_t part = 0; part < 4; ++part) {
      const __m128i in =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + size_t{16} * part));
      __m128i any = _mm_setzero_si128();
      for (const char c : {'"', '\\', '/', 'b', 'f', 'n', 'r', 't'}) {
        any = _mm_or_si128(any, _mm_cmpeq_epi8(in, _mm_set1_epi8(c)));
      }
      simple |= Bits(any) << (16 * part);
      unicode |= Bits(_mm_cmpeq_epi8(in, _mm_set1_epi8('u'))) << (16 * part);
    }
  }
};

// Bytes that an unescaped backslash stands before. Carries of the addition run through each
// sequence of backslashes, so that only the odd ones of a sequence count (after simdjson).
uint64_t SpliceCheck::EscapedBits(uint64_t backslashes, size_t size) {
  if (backslashes == 0 && !escape_next_) return 0;
  constexpr uint64_t kEven = 0x5555555555555555;
  const uint64_t carry = escape_next_ ? 1 : 0;
  backslashes &= ~carry;
  const uint64_t follows = backslashes << 1 | carry;
  const uint64_t odd_starts = backslashes & ~kEven & ~follows;
  uint64_t even_sequences = 0;
  const bool overflow = __builtin_add_overflow(odd_starts, backslashes, &even_sequences);
  const uint64_t escaped = (kEven ^ (even_sequences << 1)) & follows;
  if (size == kBlockBytes) {
    escape_next_ = overflow;
    return escaped;
  }
  escape_next_ = ((escaped >> size) & 1) != 0;
  return escaped & ((uint64_t{1} << size) - 1);
}

bool SpliceCheck::FeedHex(std::string_view bytes) {
  for (const char c : bytes) {
    if (hex_needed_ == 0) return true;
    if (!IsHex(c)) return false;
    --hex_needed_;
  }
  return true;
}

SpliceCheck::Fault SpliceCheck::FeedEscapes(std::string_view block, const char* bytes,
                                            uint64_t escaped) {
  if (!FeedHex(block)) return Fault::kEscape;
  const EscapeMasks masks(bytes);
  if ((escaped & ~(masks.simple | masks.unicode)) != 0) return Fault::kEscape;
  for (uint64_t rest = escaped & masks.unicode; rest != 0; rest &= rest - 1) {
    hex_needed_ = 4;
    const auto at = static_cast<size_t>(std::countr_zero(rest));
    if (!FeedHex(block.substr(at + 1))) return Fault::kEscape;
  }
  return Fault::kNone;
}

SpliceCheck::Fault SpliceCheck::FeedBrackets(std::string_view block, uint64_t brackets) {
  uint32_t depth = depth_;
  for (; brackets != 0; brackets &= brackets - 1) {
    const char c = block[static_cast<size_t>(std::countr_zero(brackets))];
    if (c == '[' || c == '{') {
      if (depth == kDepthMax) return Fault::kDepth;
      open_[depth++] = c;
    } else {
      constexpr int kOpenToClose = 2;  // in ASCII, for both kinds
      if (depth == 0) return Fault::kBracket;
      --depth;
      if (open_[depth] != c - kOpenToClose) return Fault::kBracket;
    }
  }
  depth_ = depth;
  return Fault::kNone;
}

// UTF-8 of one block: the ends of characters that cross its edges one byte at a time, the rest at
// once.
bool SpliceCheck::FeedCharacters(std::string_view block) {
  size_t begin = 0;
  while (!utf8_.complete() && begin < block.size()) {
    if (!utf8_.Feed(block.substr(begin++, 1))) return false;
  }
  size_t end = block.size();
  for (size_t back = 1; back <= 3 && back <= block.size() - begin; ++back) {
    const auto byte = static_cast<unsigned char>(block[block.size() - back]);
    if (byte < 0xC0) continue;
    const size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    if (length > back) end = block.size() - back;
    break;
  }
  alignas(16) std::array<char, kBlockBytes> inner;
  inner.fill(' ');
  block.substr(begin, end - begin).copy(inner.data() + begin, end - begin);
  return IsWholeUtf8(inner) && utf8_.Feed(block.substr(end));
}

SpliceCheck::Fault SpliceCheck::FeedStrings(std::string_view block, const Masks& masks,
                                            uint64_t quotes, uint64_t backslashes) {
  const uint64_t inside = PrefixXor(quotes) ^ (in_string_ ? ~uint64_t{0} : 0);
  if ((backslashes & ~inside) != 0) return Fault::kOutside;
  if ((std::popcount(quotes) & 1) != 0) in_string_ = !in_string_;
  return FeedBrackets(block, masks.brackets & ~inside);
}

SpliceCheck::Fault SpliceCheck::FeedBlock(std::string_view block) {
  std::array<char, kBlockBytes> padded;  // filled only when needed
  const char* bytes = block.data();
  if (block.size() < kBlockBytes) {
    padded.fill(' ');
    block.copy(padded.data(), block.size());
    bytes = padded.data();
  }
  const Masks masks(bytes);
  if (masks.control != 0) return Fault::kControl;
  if ((masks.high != 0 || !utf8_.complete()) && !FeedCharacters(block)) return Fault::kUtf8;
  const uint64_t escaped = EscapedBits(masks.backslashes, block.size());
  if (escaped != 0 || hex_needed_ != 0) {
    if (const Fault fault = FeedEscapes(block, bytes, escaped); fault != Fault::kNone) return fault;
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
