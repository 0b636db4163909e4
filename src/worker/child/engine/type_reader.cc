#include "worker/child/engine/type_reader.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "worker/child/engine/connection.h"
#include "worker/child/engine/handles.h"

namespace ducat::engine {
namespace {

// Newer than the header: GEOMETRY and VARIANT.
constexpr int kGeometryId = 40;
constexpr int kVariantId = 41;

struct NamedType {
  duckdb_type engine_id;
  TypeId id;
  std::string_view text;
};
constexpr std::array kPlainTypes{
    NamedType{DUCKDB_TYPE_BOOLEAN, TypeId::kBoolean, "BOOLEAN"},
    NamedType{DUCKDB_TYPE_TINYINT, TypeId::kTinyInt, "TINYINT"},
    NamedType{DUCKDB_TYPE_SMALLINT, TypeId::kSmallInt, "SMALLINT"},
    NamedType{DUCKDB_TYPE_INTEGER, TypeId::kInteger, "INTEGER"},
    NamedType{DUCKDB_TYPE_BIGINT, TypeId::kBigInt, "BIGINT"},
    NamedType{DUCKDB_TYPE_UTINYINT, TypeId::kUTinyInt, "UTINYINT"},
    NamedType{DUCKDB_TYPE_USMALLINT, TypeId::kUSmallInt, "USMALLINT"},
    NamedType{DUCKDB_TYPE_UINTEGER, TypeId::kUInteger, "UINTEGER"},
    NamedType{DUCKDB_TYPE_UBIGINT, TypeId::kUBigInt, "UBIGINT"},
    NamedType{DUCKDB_TYPE_HUGEINT, TypeId::kHugeInt, "HUGEINT"},
    NamedType{DUCKDB_TYPE_UHUGEINT, TypeId::kUHugeInt, "UHUGEINT"},
    NamedType{DUCKDB_TYPE_BIGNUM, TypeId::kBignum, "BIGNUM"},
    NamedType{DUCKDB_TYPE_FLOAT, TypeId::kFloat, "FLOAT"},
    NamedType{DUCKDB_TYPE_DOUBLE, TypeId::kDouble, "DOUBLE"},
    NamedType{DUCKDB_TYPE_VARCHAR, TypeId::kVarchar, "VARCHAR"},
    NamedType{DUCKDB_TYPE_BLOB, TypeId::kBlob, "BLOB"},
    NamedType{DUCKDB_TYPE_BIT, TypeId::kBit, "BIT"},
    NamedType{DUCKDB_TYPE_UUID, TypeId::kUuid, "UUID"},
    NamedType{DUCKDB_TYPE_DATE, TypeId::kDate, "DATE"},
    NamedType{DUCKDB_TYPE_TIME, TypeId::kTime, "TIME"},
    NamedType{DUCKDB_TYPE_TIME_NS, TypeId::kTimeNs, "TIME_NS"},
    NamedType{DUCKDB_TYPE_TIME_TZ, TypeId::kTimeTz, "TIME WITH TIME ZONE"},
    NamedType{DUCKDB_TYPE_TIMESTAMP, TypeId::kTimestamp, "TIMESTAMP"},
    NamedType{DUCKDB_TYPE_TIMESTAMP_S, TypeId::kTimestampS, "TIMESTAMP_S"},
    NamedType{DUCKDB_TYPE_TIMESTAMP_MS, TypeId::kTimestampMs, "TIMESTAMP_MS"},
    NamedType{DUCKDB_TYPE_TIMESTAMP_NS, TypeId::kTimestampNs, "TIMESTAMP_NS"},
    NamedType{DUCKDB_TYPE_TIMESTAMP_TZ, TypeId::kTimestampTz, "TIMESTAMP WITH TIME ZONE"},
    NamedType{DUCKDB_TYPE_INTERVAL, TypeId::kInterval, "INTERVAL"},
    NamedType{DUCKDB_TYPE_SQLNULL, TypeId::kNull, "\"NULL\""},
    NamedType{static_cast<duckdb_type>(kGeometryId), TypeId::kOther, "GEOMETRY"},
    NamedType{static_cast<duckdb_type>(kVariantId), TypeId::kOther, "VARIANT"},
};

class TypeReader {
 public:
  explicit TypeReader(const Keywords& keywords) : keywords_(keywords) {}

  Type Read(duckdb_logical_type logical) const {
    const duckdb_type engine_id = duckdb_get_type_id(logical);
    Type type;
    switch (static_cast<int>(engine_id)) {
      case DUCKDB_TYPE_DECIMAL:
        ReadDecimal(logical, type);
        break;
      case DUCKDB_TYPE_ENUM:
        ReadEnum(logical, type);
        break;
      case DUCKDB_TYPE_LIST:
        ReadList(logical, type);
        break;
      case DUCKDB_TYPE_ARRAY:
        ReadArray(logical, type);
        break;
      case DUCKDB_TYPE_STRUCT:
        ReadStruct(logical, type);
        break;
      case DUCKDB_TYPE_MAP:
        ReadMap(logical, type);
        break;
      case DUCKDB_TYPE_UNION:
        ReadUnion(logical, type);
        break;
      default:
        ReadPlain(engine_id, type);
        break;
    }
    const std::string alias = TakeText(duckdb_logical_type_get_alias(logical));
    if (!alias.empty()) type.text = alias;
    return type;
  }

 private:
  static void ReadPlain(duckdb_type engine_id, Type& type) {
    const auto* known = std::find_if(kPlainTypes.begin(), kPlainTypes.end(),
                                     [&](const NamedType& t) { return t.engine_id == engine_id; });
    if (known == kPlainTypes.end()) {
      type.text = "UNKNOWN";
      return;
    }
    type.id = known->id;
    type.text = known->text;
  }

  static void ReadDecimal(duckdb_logical_type logical, Type& type) {
    type.id = TypeId::kDecimal;
    type.width = duckdb_decimal_width(logical);
    type.scale = duckdb_decimal_scale(logical);
    type.text = "DECIMAL(" + std::to_string(type.width) + "," + std::to_string(type.scale) + ")";
  }

  static void ReadEnum(duckdb_logical_type logical, Type& type) {
    type.id = TypeId::kEnum;
    type.text = "ENUM(";
    const uint32_t count = duckdb_enum_dictionary_size(logical);
    type.names.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      type.names.push_back(TakeText(duckdb_enum_dictionary_value(logical, i)));
      if (i > 0) type.text += ", ";
      type.text += QuoteText(type.names.back());
    }
    type.text += ")";
  }

  void ReadList(duckdb_logical_type logical, Type& type) const {
    type.id = TypeId::kList;
    AddChild(duckdb_list_type_child_type(logical), type);
    type.text = type.children[0].text + "[]";
  }

  void ReadArray(duckdb_logical_type logical, Type& type) const {
    type.id = TypeId::kArray;
    type.array_size = duckdb_array_type_array_size(logical);
    AddChild(duckdb_array_type_child_type(logical), type);
    type.text = type.children[0].text + "[" + std::to_string(type.array_size) + "]";
  }

  void ReadMap(duckdb_logical_type logical, Type& type) const {
    type.id = TypeId::kMap;
    AddChild(duckdb_map_type_key_type(logical), type);
    AddChild(duckdb_map_type_value_type(logical), type);
    type.text = "MAP(" + type.children[0].text + ", " + type.children[1].text + ")";
  }

  void ReadStruct(duckdb_logical_type logical, Type& type) const {
    type.id = TypeId::kStruct;
    for (idx_t i = 0; i < duckdb_struct_type_child_count(logical); ++i) {
      type.names.push_back(TakeText(duckdb_struct_type_child_name(logical, i)));
      AddChild(duckdb_struct_type_child_type(logical, i), type);
    }
    type.text = "STRUCT" + Members(type);
  }

  void ReadUnion(duckdb_logical_type logical, Type& type) const {
    type.id = TypeId::kUnion;
    for (idx_t i = 0; i < duckdb_union_type_member_count(logical); ++i) {
      type.names.push_back(TakeText(duckdb_union_type_member_name(logical, i)));
      AddChild(duckdb_union_type_member_type(logical, i), type);
    }
    type.text = "UNION" + Members(type);
  }

  void AddChild(duckdb_logical_type owned, Type& type) const {
    const TypeHandle child(owned);
    type.children.push_back(Read(child.get()));
  }

  // "(a INTEGER, "b c" VARCHAR)"; an unnamed struct has types only.
  [[nodiscard]] std::string Members(const Type& type) const {
    std::string text = "(";
    for (size_t i = 0; i < type.children.size(); ++i) {
      if (i > 0) text += ", ";
      if (!type.names[i].empty()) text += MaybeQuoted(type.names[i]) + " ";
      text += type.children[i].text;
    }
    return text + ")";
  }

  [[nodiscard]] std::string MaybeQuoted(const std::string& name) const {
    const bool is_word = std::all_of(name.begin(), name.end(), [](char c) {
      return IsAsciiDigit(c) || c == '_' || (AsciiLower(c) >= 'a' && AsciiLower(c) <= 'z');
    });
    const bool is_plain =
        is_word && !IsAsciiDigit(name[0]) && !keywords_.contains(AsciiLower(name));
    return is_plain ? name : QuoteIdentifier(name);
  }

  const Keywords& keywords_;
};

bool HasOther(const Type& type) {
  return type.id == TypeId::kOther ||
         std::any_of(type.children.begin(), type.children.end(), HasOther);
}

std::string ReadableMembers(const Type& type) {
  std::string text = "(";
  for (size_t i = 0; i < type.children.size(); ++i) {
    if (i > 0) text += ", ";
    if (!type.names[i].empty()) text += QuoteIdentifier(type.names[i]) + " ";
    text += HasOther(type.children[i]) ? ReadableCast(type.children[i]) : type.children[i].text;
  }
  return text + ")";
}

std::string ReadableChild(const Type& child) {
  return HasOther(child) ? ReadableCast(child) : child.text;
}

}  // namespace

Type ReadType(duckdb_logical_type type, const Keywords& keywords) {
  return TypeReader(keywords).Read(type);
}

std::string ReadableCast(const Type& type) {
  if (!HasOther(type)) return {};
  switch (type.id) {
    case TypeId::kList:
      return ReadableChild(type.children[0]) + "[]";
    case TypeId::kArray:
      return ReadableChild(type.children[0]) + "[" + std::to_string(type.array_size) + "]";
    case TypeId::kMap:
      return "MAP(" + ReadableChild(type.children[0]) + ", " + ReadableChild(type.children[1]) +
             ")";
    case TypeId::kStruct:
      // An unnamed struct cannot be named in a cast.
      return type.names[0].empty() ? "VARCHAR" : "STRUCT" + ReadableMembers(type);
    case TypeId::kUnion:
      return "UNION" + ReadableMembers(type);
    default:
      return "VARCHAR";
  }
}

}  // namespace ducat::engine
