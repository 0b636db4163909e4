// Rows::AllText: the engine's own text of scalar values, by way of its value objects. For our own
// statements; results for callers are written by rows/.
#include <optional>

#include "worker/child/engine/session.h"

namespace ducat::engine {
namespace {

using ValueHandle = Handle<duckdb_value, duckdb_destroy_value>;

template <class T>
T Read(const Vector& vector, uint64_t row) {
  return vector.At<T>(row);
}

duckdb_value IntegerValue(TypeId id, const Vector& vector, uint64_t row) {
  switch (id) {
    case TypeId::kTinyInt:
      return duckdb_create_int8(Read<int8_t>(vector, row));
    case TypeId::kSmallInt:
      return duckdb_create_int16(Read<int16_t>(vector, row));
    case TypeId::kInteger:
      return duckdb_create_int32(Read<int32_t>(vector, row));
    case TypeId::kBigInt:
      return duckdb_create_int64(Read<int64_t>(vector, row));
    case TypeId::kUTinyInt:
      return duckdb_create_uint8(Read<uint8_t>(vector, row));
    case TypeId::kUSmallInt:
      return duckdb_create_uint16(Read<uint16_t>(vector, row));
    case TypeId::kUInteger:
      return duckdb_create_uint32(Read<uint32_t>(vector, row));
    case TypeId::kUBigInt:
      return duckdb_create_uint64(Read<uint64_t>(vector, row));
    case TypeId::kHugeInt:
      return duckdb_create_hugeint(Read<duckdb_hugeint>(vector, row));
    case TypeId::kUHugeInt:
      return duckdb_create_uhugeint(Read<duckdb_uhugeint>(vector, row));
    default:
      return nullptr;
  }
}

duckdb_value DecimalValue(const Type& type, const Vector& vector, uint64_t row) {
  duckdb_hugeint unscaled{};
  if (type.width > 18) {
    unscaled = Read<duckdb_hugeint>(vector, row);
  } else {
    const int64_t narrow = type.width > 9   ? Read<int64_t>(vector, row)
                           : type.width > 4 ? Read<int32_t>(vector, row)
                                            : Read<int16_t>(vector, row);
    unscaled = {.lower = static_cast<uint64_t>(narrow), .upper = narrow < 0 ? -1 : 0};
  }
  return duckdb_create_decimal({.width = type.width, .scale = type.scale, .value = unscaled});
}

duckdb_value TemporalValue(TypeId id, const Vector& vector, uint64_t row) {
  switch (id) {
    case TypeId::kDate:
      return duckdb_create_date(Read<duckdb_date>(vector, row));
    case TypeId::kTime:
      return duckdb_create_time(Read<duckdb_time>(vector, row));
    case TypeId::kTimeNs:
      return duckdb_create_time_ns(Read<duckdb_time_ns>(vector, row));
    case TypeId::kTimeTz:
      return duckdb_create_time_tz_value(Read<duckdb_time_tz>(vector, row));
    case TypeId::kTimestamp:
      return duckdb_create_timestamp(Read<duckdb_timestamp>(vector, row));
    case TypeId::kTimestampTz:
      return duckdb_create_timestamp_tz(Read<duckdb_timestamp>(vector, row));
    case TypeId::kTimestampS:
      return duckdb_create_timestamp_s(Read<duckdb_timestamp_s>(vector, row));
    case TypeId::kTimestampMs:
      return duckdb_create_timestamp_ms(Read<duckdb_timestamp_ms>(vector, row));
    case TypeId::kTimestampNs:
      return duckdb_create_timestamp_ns(Read<duckdb_timestamp_ns>(vector, row));
    case TypeId::kInterval:
      return duckdb_create_interval(Read<duckdb_interval>(vector, row));
    default:
      return nullptr;
  }
}

// Nothing for nested types and those that only a cast can print.
ValueHandle ValueOf(const Type& type, const Vector& vector, uint64_t row) {
  switch (type.id) {
    case TypeId::kBoolean:
      return ValueHandle(duckdb_create_bool(Read<bool>(vector, row)));
    case TypeId::kFloat:
      return ValueHandle(duckdb_create_float(Read<float>(vector, row)));
    case TypeId::kDouble:
      return ValueHandle(duckdb_create_double(Read<double>(vector, row)));
    case TypeId::kDecimal:
      return ValueHandle(DecimalValue(type, vector, row));
    case TypeId::kUuid: {
      // Stored with its top bit flipped, so that signed order is text order.
      const auto stored = Read<duckdb_uhugeint>(vector, row);
      return ValueHandle(
          duckdb_create_uuid({.lower = stored.lower, .upper = stored.upper ^ (uint64_t{1} << 63)}));
    }
    default:
      break;
  }
  if (duckdb_value integer = IntegerValue(type.id, vector, row)) return ValueHandle(integer);
  return ValueHandle(TemporalValue(type.id, vector, row));
}

EngineResult<std::optional<std::string>> TextOf(const Type& type, const Vector& vector,
                                                uint64_t row) {
  if (vector.IsNull(row)) return std::nullopt;
  if (type.id == TypeId::kVarchar) return std::string(vector.Text(row));
  const ValueHandle value = ValueOf(type, vector, row);
  if (value.get() == nullptr) {
    return tl::unexpected(EngineError{.type = "Invalid Input",
                                      .message = "no text for a column of type " + type.text});
  }
  return TakeText(duckdb_get_varchar(value.get()));
}

}  // namespace

EngineResult<std::vector<std::vector<std::optional<std::string>>>> Rows::AllText() {
  std::vector<std::vector<std::optional<std::string>>> table;
  const std::vector<Type>& types = impl_->types;
  while (true) {
    auto next = Next();
    if (!next.has_value()) return tl::unexpected(std::move(next).error());
    const Chunk* chunk = *next;
    if (chunk == nullptr) return table;
    const size_t first = table.size();
    table.resize(first + chunk->row_count(), std::vector<std::optional<std::string>>(types.size()));
    for (size_t i = 0; i < types.size(); ++i) {
      const Vector vector = chunk->column(i);
      for (uint64_t row = 0; row < chunk->row_count(); ++row) {
        auto text = TextOf(types[i], vector, row);
        if (!text.has_value()) return tl::unexpected(std::move(text).error());
        table[first + row][i] = *std::move(text);
      }
    }
  }
}

}  // namespace ducat::engine
