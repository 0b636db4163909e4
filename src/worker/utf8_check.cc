#include "worker/utf8_check.h"

#include <tmmintrin.h>

namespace ducat::worker {
namespace {

// The lookup method of Keiser and Lemire ("Validating UTF-8 in less than one instruction per
// byte"): three tables, by the high and low half of the byte before and the high half of this one,
// whose entries have a bit in common exactly when the pair is wrong.
constexpr uint8_t kTooShort = 1 << 0;      // a lead byte, then no continuation
constexpr uint8_t kTooLong = 1 << 1;       // ASCII, then a continuation
constexpr uint8_t kOverlong3 = 1 << 2;     // E0, then below A0
constexpr uint8_t kTooLarge = 1 << 3;      // F4, then above 8F
constexpr uint8_t kSurrogate = 1 << 4;     // ED, then above 9F
constexpr uint8_t kOverlong2 = 1 << 5;     // C0, C1
constexpr uint8_t kTooLarge1000 = 1 << 6;  // F5 and above
constexpr uint8_t kOverlong4 = 1 << 6;     // F0, then below 90
constexpr uint8_t kTwoContinuations = 1 << 7;
constexpr uint8_t kCarry = kTooShort | kTooLong | kTwoContinuations;
constexpr uint8_t kAbove = kCarry | kTooLarge | kTooLarge1000;

alignas(16) constexpr std::array<uint8_t, 16> kFirstHigh{
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTooLong,
    kTwoContinuations,
    kTwoContinuations,
    kTwoContinuations,
    kTwoContinuations,
    kTooShort | kOverlong2,
    kTooShort,
    kTooShort | kOverlong3 | kSurrogate,
    kTooShort | kTooLarge | kTooLarge1000 | kOverlong4};
alignas(16) constexpr std::array<uint8_t, 16> kFirstLow{
    kCarry | kOverlong3 | kOverlong2 | kOverlong4,
    kCarry | kOverlong2,
    kCarry,
    kCarry,
    kCarry | kTooLarge,
    kAbove,
    kAbove,
    kAbove,
    kAbove,
    kAbove,
    kAbove,
    kAbove,
    kAbove,
    kAbove | kSurrogate,
    kAbove,
    kAbove};
constexpr uint8_t kFollows = kTooLong | kOverlong2 | kTwoContinuations;
alignas(16) constexpr std::array<uint8_t, 16> kSecondHigh{
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort,
    kFollows | kOverlong3 | kTooLarge1000 | kOverlong4,
    kFollows | kOverlong3 | kTooLarge,
    kFollows | kSurrogate | kTooLarge,
    kFollows | kSurrogate | kTooLarge,
    kTooShort,
    kTooShort,
    kTooShort,
    kTooShort};

__attribute__((target("ssse3"))) __m128i Lookup(const std::array<uint8_t, 16>& table,
                                                __m128i halves) {
  const __m128i entries = _mm_load_si128(reinterpret_cast<const __m128i*>(table.data()));
  return _mm_shuffle_epi8(entries, halves);
}

// Not zero where `in`, read after `before`, breaks a rule.
__attribute__((target("ssse3"))) __m128i Errors(__m128i in, __m128i before) {
  const __m128i half = _mm_set1_epi8(0x0F);
  const __m128i back1 = _mm_alignr_epi8(in, before, 15);
  const __m128i back2 = _mm_alignr_epi8(in, before, 14);
  const __m128i back3 = _mm_alignr_epi8(in, before, 13);
  const auto high = [&](__m128i bytes) { return _mm_and_si128(_mm_srli_epi16(bytes, 4), half); };
  const __m128i pairs = _mm_and_si128(
      _mm_and_si128(Lookup(kFirstHigh, high(back1)), Lookup(kFirstLow, _mm_and_si128(back1, half))),
      Lookup(kSecondHigh, high(in)));
  // Third and fourth bytes must be continuations after a continuation, and nothing else may be.
  const __m128i third = _mm_subs_epu8(back2, _mm_set1_epi8(0xE0 - 0x80));
  const __m128i fourth = _mm_subs_epu8(back3, _mm_set1_epi8(0xF0 - 0x80));
  const __m128i deep =
      _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(static_cast<char>(0x80)));
  return _mm_xor_si128(deep, pairs);
}

__attribute__((target("ssse3"))) bool IsWholeFast(const std::array<char, kUtf8BlockBytes>& bytes) {
  __m128i before = _mm_setzero_si128();
  __m128i errors = _mm_setzero_si128();
  for (size_t at = 0; at < bytes.size(); at += 16) {
    const __m128i in = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
    errors = _mm_or_si128(errors, Errors(in, before));
    before = in;
  }
  // A character that the block cuts off reads as one with an ASCII byte after it.
  errors = _mm_or_si128(errors, Errors(_mm_setzero_si128(), before));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(errors, _mm_setzero_si128())) == 0xFFFF;
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

bool IsWholeUtf8(const std::array<char, kUtf8BlockBytes>& bytes) {
  static const bool kFast = __builtin_cpu_supports("ssse3") != 0;
  if (kFast) return IsWholeFast(bytes);
  Utf8Check check;
  return check.Feed({bytes.data(), bytes.size()}) && check.complete();
}

}  // namespace ducat::worker
