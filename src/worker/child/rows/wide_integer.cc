#include "worker/child/rows/wide_integer.h"

#include <array>
#include <charconv>
#include <cstring>
#include <vector>

namespace ducat::rows {
namespace {

constexpr uint64_t kChunk = 1'000'000'000'000'000'000;  // 10^18
constexpr size_t kChunkDigits = 18;

void AppendPadded(std::string& out, uint64_t value, size_t width) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  const auto length = static_cast<size_t>(end - digits.data());
  if (length < width) out.append(width - length, '0');
  out.append(digits.data(), length);
}

// Big-endian bytes as 32-bit limbs, most significant first.
std::vector<uint32_t> LimbsOf(std::string_view big_endian) {
  std::vector<uint32_t> limbs((big_endian.size() + 3) / 4);
  for (size_t i = 0; i < big_endian.size(); ++i) {
    const size_t from_end = big_endian.size() - 1 - i;
    uint32_t& limb = limbs[limbs.size() - 1 - from_end / 4];
    limb |= static_cast<uint32_t>(static_cast<unsigned char>(big_endian[i])) << (from_end % 4 * 8);
  }
  return limbs;
}

}  // namespace

void AppendDigits(std::string& out, UInt128 value) {
  if (value < kChunk) return AppendPadded(out, static_cast<uint64_t>(value), 1);
  AppendDigits(out, value / kChunk);
  AppendPadded(out, static_cast<uint64_t>(value % kChunk), kChunkDigits);
}

std::string DigitsOf(std::string_view big_endian) {
  std::vector<uint32_t> limbs = LimbsOf(big_endian);
  std::vector<uint64_t> chunks;  // base 10^18, least significant first
  size_t first = 0;
  while (first < limbs.size()) {
    UInt128 rest = 0;
    for (size_t i = first; i < limbs.size(); ++i) {
      const UInt128 part = rest << 32 | limbs[i];
      limbs[i] = static_cast<uint32_t>(part / kChunk);
      rest = part % kChunk;
    }
    chunks.push_back(static_cast<uint64_t>(rest));
    while (first < limbs.size() && limbs[first] == 0) {
      ++first;
    }
  }
  std::string digits;
  if (chunks.empty()) return "0";
  AppendPadded(digits, chunks.back(), 1);
  for (size_t i = chunks.size() - 1; i > 0; --i) {
    AppendPadded(digits, chunks[i - 1], kChunkDigits);
  }
  return digits;
}

}  // namespace ducat::rows
