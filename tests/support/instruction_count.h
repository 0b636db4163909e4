#pragma once
// Costs without a clock: how many instructions a piece of work executes. The trap flag of x86 stops
// the processor after each one; that needs no permission, no tool, and gives the same number on a
// busy machine. A stop costs microseconds: measure thousands of instructions, not millions. Other
// processors cannot: tests skip there. One thread at a time.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace ducat::testing {

[[nodiscard]] bool CanCountInstructions();

// Runs `work` twice; only the second time counts, for the first one resolves symbols and fills
// caches.
[[nodiscard]] uint64_t CountInstructions(const std::function<void()>& work);

// How cost grows from n to 2n to 4n: about 2 when it is linear, 4 when it is quadratic. What does
// not depend on n drops out. `make(n)` gives the input; only `work(input)` counts.
template <class Make, class Work>
[[nodiscard]] double GrowthOf(size_t n, Make make, Work work) {
  const auto cost = [&](size_t size) {
    const auto input = make(size);
    return static_cast<double>(CountInstructions([&] { work(input); }));
  };
  const double once = cost(n);
  const double twice = cost(2 * n);
  return (cost(4 * n) - twice) / std::max(twice - once, 1.0);
}

// What is linear stays within 2 ± 0.1 where buffers do not happen to grow; sorting costs n log n.
inline constexpr double kLinear = 2.3;
inline constexpr double kSorting = 2.6;

}  // namespace ducat::testing
