#include "json/shape_access.h"

#include <gtest/gtest.h>

namespace ducat::json {
namespace {

template <class T>
void ExpectKept(T value) {
  T stored{};
  StoreInteger(&stored, sizeof(T), static_cast<uint64_t>(value));
  EXPECT_EQ(stored, value);
  EXPECT_EQ(static_cast<T>(LoadSigned(&stored, sizeof(T))), value);
  EXPECT_EQ(static_cast<T>(LoadUnsigned(&stored, sizeof(T))), value);
  if constexpr (std::is_signed_v<T>) {
    EXPECT_EQ(LoadSigned(&stored, sizeof(T)), value);
  }
}

template <class T>
void ExpectEdgesKept() {
  for (const T value : {std::numeric_limits<T>::min(), T{0}, T{1}, std::numeric_limits<T>::max()})
    ExpectKept(value);
}

TEST(ShapeAccess, LoadsAndStoresEverySizeAndSign) {
  ExpectEdgesKept<int8_t>(), ExpectEdgesKept<uint8_t>(), ExpectEdgesKept<int16_t>(),
      ExpectEdgesKept<uint16_t>();
  ExpectEdgesKept<int32_t>(), ExpectEdgesKept<uint32_t>(), ExpectEdgesKept<int64_t>(),
      ExpectEdgesKept<uint64_t>();
  EXPECT_EQ(LowestSigned(2), INT16_MIN);
  EXPECT_EQ(HighestSigned(8), INT64_MAX);
  EXPECT_EQ(HighestUnsigned(1), 255U);
  EXPECT_EQ(HighestUnsigned(8), UINT64_MAX);
}

}  // namespace
}  // namespace ducat::json
