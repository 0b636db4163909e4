#include "worker/child/engine/chunk.h"

#include <cstddef>

#include <duckdb.h>

namespace ducat::engine {

static_assert(sizeof(duckdb_string_t) == 16 && sizeof(duckdb_hugeint) == sizeof(Int128) &&
              sizeof(duckdb_interval) == sizeof(Interval) &&
              sizeof(duckdb_list_entry) == sizeof(ListEntry));
static_assert(offsetof(duckdb_hugeint, upper) == offsetof(Int128, upper) &&
              offsetof(duckdb_interval, micros) == offsetof(Interval, micros) &&
              offsetof(duckdb_string_t, value.pointer.ptr) == 8);

namespace {

duckdb_vector Raw(void* handle) {
  return static_cast<duckdb_vector>(handle);
}

}  // namespace

Vector::Vector(void* handle)
    : handle_(handle),
      data_(duckdb_vector_get_data(Raw(handle))),
      validity_(duckdb_vector_get_validity(Raw(handle))) {}

Vector Vector::ListChild() const {
  return Vector(duckdb_list_vector_get_child(Raw(handle_)));
}
Vector Vector::ArrayChild() const {
  return Vector(duckdb_array_vector_get_child(Raw(handle_)));
}
Vector Vector::StructChild(size_t i) const {
  return Vector(duckdb_struct_vector_get_child(Raw(handle_), i));
}

Vector Chunk::column(size_t i) const {
  return Vector(duckdb_data_chunk_get_vector(static_cast<duckdb_data_chunk>(handle_), i));
}

}  // namespace ducat::engine
