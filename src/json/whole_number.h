#pragma once
// WholeNumber: an integer of either sign with 64 bits of magnitude, between JSON and the integer
// types of C++. Exact throughout: what a caller sends as a number or as digits arrives as it was.
// Plain value.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/shape.h"
#include "json/view.h"

namespace ducat::json {

struct WholeNumber {
  bool negative = false;
  uint64_t magnitude = 0;

  // Numbers without fraction; doubles only within +-2^53.
  [[nodiscard]] static std::optional<WholeNumber> FromView(View value);
  // Exact integer text: an optional '-', no leading zeros, nothing else.
  [[nodiscard]] static std::optional<WholeNumber> FromText(std::string_view text);

  [[nodiscard]] bool IsBelow(double bound) const;
  [[nodiscard]] bool IsAbove(double bound) const;
  // Against the range of an integer type: -1 below, 1 above, 0 fits.
  [[nodiscard]] int AgainstType(const Shape& shape) const;
  void Store(const Shape& shape, void* out) const;
};

[[nodiscard]] std::string LowestText(const Shape& shape);
[[nodiscard]] std::string HighestText(const Shape& shape);

}  // namespace ducat::json
