#include "worker/child/ingest/carrier.h"

#include <algorithm>

#include <fmt/format.h>

namespace ducat::ingest {
namespace {

using engine::QuoteIdentifier;
using engine::QuoteText;
using engine::Type;
using engine::TypeId;

constexpr std::string_view kIntervalCarrier = "STRUCT(months INTEGER, days INTEGER, micros BIGINT)";
// Parquet marks geometries with a reference system that the engine then shows in the type.
constexpr std::string_view kGeometryCarrier = "GEOMETRY('OGC:CRS84')";

bool IsUnnamed(const Type& type) {
  return type.id == TypeId::kStruct && !type.names.empty() && type.names.front().empty();
}

bool ChangesInFile(const Type& type) {
  switch (type.id) {
    case TypeId::kHugeInt:
    case TypeId::kUHugeInt:
    case TypeId::kBignum:
    case TypeId::kBit:
    case TypeId::kEnum:
    case TypeId::kTimeTz:
    case TypeId::kTimestampS:
    case TypeId::kTimestampMs:
    case TypeId::kInterval:
    case TypeId::kUnion:
    case TypeId::kArray:
      return true;
    case TypeId::kOther:
      return type.text == "GEOMETRY";
    default:
      return std::any_of(type.children.begin(), type.children.end(), ChangesInFile);
  }
}

// True where a cast between type and carrier does not exist or loses something.
bool NeedsExpression(const Type& type) {
  if (!ChangesInFile(type)) return false;
  if (type.id == TypeId::kInterval || type.id == TypeId::kUnion || IsUnnamed(type)) return true;
  return std::any_of(type.children.begin(), type.children.end(), NeedsExpression);
}

std::string Carrier(const Type& type);

// Members of a union are numbered, so that no name of theirs meets `tag`.
std::string UnionCarrier(const Type& type) {
  std::string text = "STRUCT(tag VARCHAR";
  for (size_t i = 0; i < type.children.size(); ++i) {
    text += fmt::format(", m{} {}", i, Carrier(type.children[i]));
  }
  return text + ")";
}

std::string StructCarrier(const Type& type) {
  std::string text = "STRUCT(";
  for (size_t i = 0; i < type.children.size(); ++i) {
    if (i > 0) text += ", ";
    if (!IsUnnamed(type)) text += QuoteIdentifier(type.names[i]) + " ";
    text += Carrier(type.children[i]);
  }
  return text + ")";
}

std::string Carrier(const Type& type) {
  if (!ChangesInFile(type)) return type.text;
  switch (type.id) {
    case TypeId::kTimestampS:
    case TypeId::kTimestampMs:
      return "TIMESTAMP";
    case TypeId::kInterval:
      return std::string(kIntervalCarrier);
    case TypeId::kOther:
      return std::string(kGeometryCarrier);
    case TypeId::kList:
    case TypeId::kArray:
      return Carrier(type.children[0]) + "[]";
    case TypeId::kStruct:
      return StructCarrier(type);
    case TypeId::kUnion:
      return UnionCarrier(type);
    case TypeId::kMap:
      return fmt::format("MAP({}, {})", Carrier(type.children[0]), Carrier(type.children[1]));
    default:
      return "VARCHAR";
  }
}

// One direction of the conversion; both walk a type in the same way.
class Conversion {
 public:
  explicit Conversion(bool store) : store_(store) {}

  std::string Sql(const Type& type, std::string_view value) {
    if (!ChangesInFile(type)) return std::string(value);
    if (!NeedsExpression(type)) {
      if (store_ && type.id == TypeId::kOther) return std::string(value);
      return Cast(value, store_ ? Carrier(type) : type.text);
    }
    switch (type.id) {
      case TypeId::kInterval:
        return Interval(value);
      case TypeId::kUnion:
        return store_ ? StoreUnion(type, value) : RestoreUnion(type, value);
      case TypeId::kStruct:
        return Struct(type, value);
      case TypeId::kMap:
        return Map(type, value);
      default:
        return List(type, value);
    }
  }

 private:
  static std::string Cast(std::string_view value, std::string_view type) {
    return fmt::format("CAST({} AS {})", value, type);
  }
  static std::string UnlessNull(std::string_view value, std::string_view otherwise) {
    return fmt::format("CASE WHEN {} IS NULL THEN NULL ELSE {} END", value, otherwise);
  }

  [[nodiscard]] std::string Interval(std::string_view value) const {
    if (!store_) {
      return fmt::format(
          "to_months(struct_extract({0}, 'months')) + to_days(struct_extract({0}, 'days'))"
          " + to_microseconds(struct_extract({0}, 'micros'))",
          value);
    }
    return UnlessNull(
        value, fmt::format("struct_pack(months := CAST(datepart('year', {0}) * 12"
                           " + datepart('month', {0}) AS INTEGER),"
                           " days := CAST(datepart('day', {0}) AS INTEGER),"
                           " micros := datepart('hour', {0}) * 3600000000"
                           " + datepart('minute', {0}) * 60000000 + datepart('microsecond', {0}))",
                           value));
  }

  std::string StoreUnion(const Type& type, std::string_view value) {
    std::string pack = fmt::format("struct_pack(tag := CAST(union_tag({}) AS VARCHAR)", value);
    for (size_t i = 0; i < type.children.size(); ++i) {
      const std::string member =
          fmt::format("union_extract({}, {})", value, QuoteText(type.names[i]));
      pack += fmt::format(", m{} := {}", i, Sql(type.children[i], member));
    }
    return UnlessNull(value, pack + ")");
  }

  std::string RestoreUnion(const Type& type, std::string_view value) {
    std::string cases = fmt::format("CASE struct_extract({}, 'tag')", value);
    for (size_t i = 0; i < type.children.size(); ++i) {
      const std::string member = fmt::format("struct_extract({}, 'm{}')", value, i);
      cases +=
          fmt::format(" WHEN {} THEN CAST(union_value({} := {}) AS {})", QuoteText(type.names[i]),
                      QuoteIdentifier(type.names[i]), Sql(type.children[i], member), type.text);
    }
    return cases + " END";
  }

  std::string Struct(const Type& type, std::string_view value) {
    const bool unnamed = IsUnnamed(type);
    std::string pack = unnamed ? "row(" : "struct_pack(";
    for (size_t i = 0; i < type.children.size(); ++i) {
      if (i > 0) pack += ", ";
      if (!unnamed) pack += QuoteIdentifier(type.names[i]) + " := ";
      pack += Sql(type.children[i],
                  unnamed ? fmt::format("struct_extract_at({}, {})", value, i + 1)
                          : fmt::format("struct_extract({}, {})", value, QuoteText(type.names[i])));
    }
    return UnlessNull(value, pack + ")");
  }

  std::string Map(const Type& type, std::string_view value) {
    const std::string entry = fmt::format("v{}", depth_++);
    const std::string key = Sql(type.children[0], fmt::format("struct_extract({}, 'key')", entry));
    const std::string item =
        Sql(type.children[1], fmt::format("struct_extract({}, 'value')", entry));
    return fmt::format(
        "map_from_entries(list_transform(map_entries({}), lambda {}: struct_pack(key := {}, value "
        ":= {})))",
        value, entry, key, item);
  }

  std::string List(const Type& type, std::string_view value) {
    const bool is_array = type.id == TypeId::kArray;
    const std::string element = fmt::format("v{}", depth_++);
    const std::string list =
        is_array && store_ ? Cast(value, type.children[0].text + "[]") : std::string(value);
    std::string sql = fmt::format("list_transform({}, lambda {}: {})", list, element,
                                  Sql(type.children[0], element));
    return is_array && !store_ ? Cast(sql, type.text) : sql;
  }

  bool store_;
  int depth_ = 0;  // names of lambda parameters
};

}  // namespace

std::string CarrierOf(const Type& type) {
  return ChangesInFile(type) ? Carrier(type) : std::string();
}

std::string StoreSql(const Type& type, std::string_view value) {
  return Conversion(/*store=*/true).Sql(type, value);
}

std::string RestoreSql(const Type& type, std::string_view value) {
  return Conversion(/*store=*/false).Sql(type, value);
}

Result<std::string> MountSql(const worker::CatalogTable& table, engine::Connection& connection) {
  std::string items;
  for (const worker::CatalogColumn& column : table.columns) {
    if (!items.empty()) items += ", ";
    const std::string name = QuoteIdentifier(column.name);
    if (column.carrier.empty()) {
      items += name;
      continue;
    }
    const auto typed = connection.Run("SELECT CAST(NULL AS " + column.type + ") LIMIT 0");
    if (!typed.has_value()) {
      return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
                  "The type of column " + name + " is unknown to this engine");
    }
    items += RestoreSql(typed->types().front(), name) + " AS " + name;
  }
  if (items.empty()) items = "*";
  return "SELECT " + items + " FROM read_parquet(" + engine::QuotePath(table.file) +
         ", hive_partitioning = false)";
}

}  // namespace ducat::ingest
