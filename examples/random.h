#pragma once
// A seeded source of numbers that is the same on every platform and in every standard library
// (SplitMix64, integers only; std:: distributions differ between libraries). A plain value; one
// per table, so that a change in one table leaves the others as they are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ducat::examples {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15U;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31U);
  }

  // 0 <= result < bound; bound is small against 2^64, so the modulo's bias does not matter here.
  int Below(int bound) { return static_cast<int>(Next() % static_cast<uint64_t>(bound)); }
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool Chance(int percent) { return Below(100) < percent; }

  template <class T, size_t N>
  const T& Pick(const std::array<T, N>& values) {
    return values[static_cast<size_t>(Below(static_cast<int>(N)))];
  }

  template <class T>
  void Shuffle(std::vector<T>& values) {
    for (size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[static_cast<size_t>(Below(static_cast<int>(left)))]);
    }
  }

 private:
  uint64_t state_;
};

}  // namespace ducat::examples
