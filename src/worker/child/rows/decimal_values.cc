// DECIMAL: a number without trailing zeros while the unscaled value has at most 15 digits (a double
// holds every one of those exactly), else a string with all its decimals.
#include "worker/child/rows/cells.h"
#include "worker/child/rows/wide_integer.h"

namespace ducat::rows {
namespace {

constexpr uint64_t kExactLimit = 1'000'000'000'000'000;  // 10^15

void AppendScaled(bool is_negative, UInt128 magnitude, size_t scale, const ValueStyle& style,
                  std::string& out) {
  const bool is_text = style.decimals_as_text || magnitude >= kExactLimit;
  if (is_text) out.push_back('"');
  if (is_negative) out.push_back('-');
  if (!is_text) {
    while (scale > 0 && magnitude % 10 == 0) {
      magnitude /= 10;
      --scale;
    }
  }
  const size_t start = out.size();
  AppendDigits(out, magnitude);
  if (scale > 0) {
    const size_t digits = out.size() - start;
    if (digits <= scale) out.insert(start, scale + 1 - digits, '0');
    out.insert(out.size() - scale, 1, '.');
  }
  if (is_text) out.push_back('"');
}

template <class T>
void AppendNarrow(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const int64_t value = cells.vector.At<T>(row);
  const auto bits = static_cast<uint64_t>(value);
  AppendScaled(value < 0, value < 0 ? uint64_t{0} - bits : bits, cells.type.scale, style, out);
}

void AppendWide(const Cells& cells, uint64_t row, const ValueStyle& style, std::string& out) {
  const auto stored = cells.vector.At<engine::Int128>(row);
  AppendScaled(stored.upper < 0, Magnitude(stored), cells.type.scale, style, out);
}

}  // namespace

AppendFunction DecimalWriter(const engine::Type& type) {
  if (type.id != engine::TypeId::kDecimal) return nullptr;
  if (type.width <= 4) return &AppendNarrow<int16_t>;
  if (type.width <= 9) return &AppendNarrow<int32_t>;
  if (type.width <= 18) return &AppendNarrow<int64_t>;
  return &AppendWide;
}

}  // namespace ducat::rows
