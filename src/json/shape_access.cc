#include "json/shape_access.h"

#include <cstring>

#include "base/result.h"

namespace ducat::json {

namespace {

bool IsIntegerSize(size_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

}  // namespace

// Little endian, like every machine that the product runs on: the low bytes come first.
uint64_t LoadUnsigned(const void* value, size_t size) {
  CHECK(IsIntegerSize(size));
  uint64_t bits = 0;
  std::memcpy(&bits, value, size);
  return bits;
}

int64_t LoadSigned(const void* value, size_t size) {
  const auto unused = static_cast<unsigned>(64 - 8 * size);
  return static_cast<int64_t>(LoadUnsigned(value, size) << unused) >> unused;
}

void StoreInteger(void* value, size_t size, uint64_t bits) {
  CHECK(IsIntegerSize(size));
  std::memcpy(value, &bits, size);
}

int64_t HighestSigned(size_t size) {
  return static_cast<int64_t>(~uint64_t{0} >> (65 - 8 * size));
}
int64_t LowestSigned(size_t size) {
  return -HighestSigned(size) - 1;
}
uint64_t HighestUnsigned(size_t size) {
  return ~uint64_t{0} >> (64 - 8 * size);
}

}  // namespace ducat::json
