#include "mcp/cursor.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

TEST(Cursor, BringsBackThePosition) {
  CursorCodec codec;
  for (const uint32_t position : {0U, 1U, 100U, 4'294'967'295U}) {
    const std::string cursor = codec.Encode(ListKind::kTools, 7, position);
    EXPECT_EQ(codec.Decode(ListKind::kTools, cursor), position);
    EXPECT_EQ(cursor.find_first_not_of(
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
              cursor.npos);
  }
}

TEST(Cursor, BelongsToOneListAndOneProcess) {
  CursorCodec codec;
  CursorCodec other;
  const std::string cursor = codec.Encode(ListKind::kTools, 1, 100);
  EXPECT_FALSE(codec.Decode(ListKind::kPrompts, cursor));
  EXPECT_FALSE(other.Decode(ListKind::kTools, cursor));
}

TEST(Cursor, RefusesAnyChangedByte) {
  CursorCodec codec;
  const std::string cursor = codec.Encode(ListKind::kResources, 3, 200);
  for (size_t i = 0; i < cursor.size(); ++i) {
    std::string changed = cursor;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_FALSE(codec.Decode(ListKind::kResources, changed)) << i;
  }
  for (const std::string_view text : {"", "x", "not a cursor", "AAAA"}) {
    EXPECT_FALSE(codec.Decode(ListKind::kResources, text));
  }
  EXPECT_FALSE(codec.Decode(ListKind::kResources, cursor + "A"));
}

}  // namespace
}  // namespace ducat::mcp
