// VARCHAR, ENUM, BLOB, BIT, UUID in JSON (analyst.md 7).
#include <gtest/gtest.h>

#include "worker/child/rows/rows_fixture.h"

namespace ducat::rows {
namespace {

class TextValuesTest : public RowsFixture {};

TEST_F(TextValuesTest, TextIsEscapedAndStaysWhole) {
  EXPECT_EQ(Json(R"(SELECT 'a"b\c', E'x\ty\nz', chr(1), 'é 数 😀', '')"),
            R"(["a\"b\\c","x\ty\nz","\u0001","é 数 😀",""])");
  EXPECT_EQ(Json("SELECT '{\"a\": 1}'::JSON, 'b'::ENUM('a','b'), "
                 "'00112233-4455-6677-8899-aabbccddeeff'::UUID, "
                 "'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID"),
            R"(["{\"a\": 1}","b","00112233-4455-6677-8899-aabbccddeeff",)"
            R"("ffffffff-ffff-ffff-ffff-ffffffffffff"])");
}

TEST_F(TextValuesTest, BlobsAndBitsAreReadable) {
  EXPECT_EQ(Json(R"(SELECT '\xAA'::BLOB, 'a\x00\x5C~\x7F'::BLOB, ''::BLOB)"),
            R"(["\\xAA","a\\x00\\x5C~\\x7F",""])");
  EXPECT_EQ(Json("SELECT '0101'::BIT, '1'::BIT, '1010101011'::BIT"),
            R"(["0101","1","1010101011"])");
}

}  // namespace
}  // namespace ducat::rows
