#include "packs/analyst/column_class.h"

#include <gtest/gtest.h>

namespace ducat::analyst {
namespace {

struct TypeCase {
  const char* wanted;
  const char* type;
  bool matches;
};
class TypeClasses : public testing::TestWithParam<TypeCase> {};
TEST_P(TypeClasses, Match) {
  EXPECT_EQ(TypeMatches(GetParam().wanted, GetParam().type), GetParam().matches)
      << GetParam().wanted << " on " << GetParam().type;
}
INSTANTIATE_TEST_SUITE_P(
    Cases, TypeClasses,
    testing::Values(TypeCase{"numeric", "DECIMAL(10,2)", true},
                    TypeCase{"NUMERIC", "hugeint", true}, TypeCase{"numeric", "BOOLEAN", false},
                    TypeCase{"numeric", "BIGINT[]", false}, TypeCase{"text", "VARCHAR", true},
                    TypeCase{"text", "ENUM('a', 'b')", true},
                    TypeCase{"temporal", "TIMESTAMP WITH TIME ZONE", true},
                    TypeCase{"temporal", "DATE", true}, TypeCase{"temporal", "VARCHAR", false},
                    TypeCase{"decimal", "DECIMAL(10,2)", true},
                    TypeCase{"DECIMAL(10,2)", "DECIMAL(10,2)", true},
                    TypeCase{"DECIMAL(9,2)", "DECIMAL(10,2)", false},
                    TypeCase{"timestamptz", "TIMESTAMP WITH TIME ZONE", true},
                    TypeCase{"VARCHAR[]", "VARCHAR[]", true}, TypeCase{"", "VARCHAR", false}));

TEST(TypeNames, KnowsTheEnginesTypes) {
  for (const char* name :
       {"numeric", "TEXT", "temporal", "decimal(10,2)", "varchar[]", "BIGINT[][]", "int", "Bool",
        "struct", "JSON", "timestamp with time zone"}) {
    EXPECT_TRUE(IsTypeOrClass(name)) << name;
  }
  for (const char* name : {"", "money", "number", "dates", "[]", "numeric text"}) {
    EXPECT_FALSE(IsTypeOrClass(name)) << name;
  }
  EXPECT_TRUE(TypeMatches("int", "INTEGER"));
  EXPECT_TRUE(TypeMatches("string", "VARCHAR"));
}

}  // namespace
}  // namespace ducat::analyst
