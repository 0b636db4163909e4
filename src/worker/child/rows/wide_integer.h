#pragma once
// Decimal digits of integers beyond 64 bits: HUGEINT, BIGNUM, wide DECIMAL. Pure functions, never
// fail, any thread.

#include <string>
#include <string_view>

#include "worker/child/engine/chunk.h"

namespace ducat::rows {

using UInt128 = unsigned __int128;

[[nodiscard]] inline UInt128 Magnitude(engine::Int128 value) {
  const UInt128 bits = UInt128{static_cast<uint64_t>(value.upper)} << 64 | value.lower;
  return value.upper < 0 ? ~bits + 1 : bits;
}

void AppendDigits(std::string& out, UInt128 value);

// Digits of a magnitude given as bytes, most significant first. Quadratic in its length.
[[nodiscard]] std::string DigitsOf(std::string_view big_endian);

}  // namespace ducat::rows
