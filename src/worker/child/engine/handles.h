#pragma once
// Owners of the C API's objects, for the .cc files of this folder only (includes duckdb.h). Each
// frees its object once; none checks anything. Job thread only.

#include <string>
#include <utility>

#include <duckdb.h>

namespace ducat::engine {

// A pointer-like handle and the function that destroys it and sets it to null.
template <class T, void (*Destroy)(T*)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T value) : value_(value) {}
  Handle(Handle&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (value_ != nullptr) Destroy(&value_);
  }

  [[nodiscard]] T get() const { return value_; }
  // For the C API's out parameters; the handle must be empty.
  [[nodiscard]] T* out() { return &value_; }

 private:
  T value_ = nullptr;
};

using DatabaseHandle = Handle<duckdb_database, duckdb_close>;
using ConnectionHandle = Handle<duckdb_connection, duckdb_disconnect>;
using PreparedHandle = Handle<duckdb_prepared_statement, duckdb_destroy_prepare>;
using ExtractedHandle = Handle<duckdb_extracted_statements, duckdb_destroy_extracted>;
using TypeHandle = Handle<duckdb_logical_type, duckdb_destroy_logical_type>;
using ChunkHandle = Handle<duckdb_data_chunk, duckdb_destroy_data_chunk>;

// duckdb_result is a struct, passed by value to some functions; destroying an empty one is allowed.
class ResultHandle {
 public:
  ResultHandle() = default;
  ResultHandle(ResultHandle&& other) noexcept : result_(std::exchange(other.result_, {})) {}
  ResultHandle& operator=(ResultHandle&& other) noexcept {
    std::swap(result_, other.result_);
    return *this;
  }
  ResultHandle(const ResultHandle&) = delete;
  ResultHandle& operator=(const ResultHandle&) = delete;
  ~ResultHandle() { duckdb_destroy_result(&result_); }

  [[nodiscard]] duckdb_result& get() { return result_; }

 private:
  duckdb_result result_{};
};

// Copies and frees a string that the C API allocated; empty for null.
[[nodiscard]] inline std::string TakeText(char* text) {
  if (text == nullptr) return {};
  std::string copy(text);
  duckdb_free(text);
  return copy;
}
[[nodiscard]] inline std::string TakeText(const char* text) {
  return TakeText(const_cast<char*>(text));
}

}  // namespace ducat::engine
