#pragma once
// Chunk and Vector: typed, read-only access to up to 2,048 rows of a result without the engine's
// header. A Vector is three pointers into its chunk and dies with it. Nothing is checked: the
// caller reads the type that Rows::types() says. Job thread only.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace ducat::engine {

struct Int128 {
  uint64_t lower;
  int64_t upper;
};
struct UInt128 {
  uint64_t lower;
  uint64_t upper;
};
struct Interval {
  int32_t months;
  int32_t days;
  int64_t micros;
};
struct ListEntry {
  uint64_t offset;
  uint64_t length;
};

// One column, or the children of a nested one.
class Vector {
 public:
  [[nodiscard]] bool IsNull(uint64_t row) const {
    return validity_ != nullptr && ((validity_[row >> 6] >> (row & 63)) & 1) == 0;
  }
  // T is the physical type: int32_t for INTEGER and DATE, Int128 for HUGEINT, ListEntry for LIST,
  // ...
  template <class T>
  [[nodiscard]] T At(uint64_t row) const {
    return static_cast<const T*>(data_)[row];
  }
  // Bytes of VARCHAR, BLOB, BIT and BIGNUM.
  [[nodiscard]] std::string_view Text(uint64_t row) const {
    const char* slot = static_cast<const char*>(data_) + row * kTextSlotBytes;
    uint32_t length = 0;
    std::memcpy(&length, slot, sizeof length);
    if (length <= kInlineBytes) return {slot + 4, length};
    const char* bytes = nullptr;
    std::memcpy(static_cast<void*>(&bytes), slot + 8, sizeof bytes);
    return {bytes, length};
  }
  [[nodiscard]] Vector ListChild() const;            // LIST, MAP: all elements, by ListEntry
  [[nodiscard]] Vector ArrayChild() const;           // ARRAY: element row * size + i
  [[nodiscard]] Vector StructChild(size_t i) const;  // STRUCT; UNION: 0 is the uint8_t tag

 private:
  friend class Chunk;
  static constexpr uint64_t kTextSlotBytes = 16;
  static constexpr uint32_t kInlineBytes = 12;
  explicit Vector(void* handle);

  void* handle_;
  const void* data_;
  const uint64_t* validity_;
};

class Chunk {
 public:
  [[nodiscard]] uint64_t row_count() const { return row_count_; }
  [[nodiscard]] size_t column_count() const { return column_count_; }
  [[nodiscard]] Vector column(size_t i) const;

 private:
  friend class Rows;
  void* handle_ = nullptr;
  uint64_t row_count_ = 0;
  size_t column_count_ = 0;
};

}  // namespace ducat::engine
