#pragma once
// Random bytes and the ids made of them. RequestIds hands out the ids that errors and log lines
// carry: 50 random bits in Crockford base32, XXXXX-XXXXX, short enough to read aloud. One is owned
// by the server; control thread only. The kernel's generator is the only source; without it the
// process aborts.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ducat {

// Fills `out` from getrandom(2).
void FillRandom(std::span<uint8_t> out);

// "7K3QD-M2XW9" from the low 50 bits of `bits`.
[[nodiscard]] std::string FormatRequestId(uint64_t bits);

// Draws its randomness in blocks: one system call for many ids.
class RequestIds {
 public:
  [[nodiscard]] std::string Next();

 private:
  std::array<uint8_t, 448> block_{};
  size_t used_ = sizeof(block_);
};

}  // namespace ducat
