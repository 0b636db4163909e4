#include "worker/child/guard/verdict_cache.h"

#include <string>

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

VerdictCache::Entry EntryOf(std::string code) {
  VerdictCache::Entry entry;
  entry.judgement.verdict.code = std::move(code);
  return entry;
}

TEST(VerdictCache, TellsKeysApart) {
  VerdictCache cache;
  const VerdictCache::Key key{.sql = "SELECT 1", .catalog_version = 1, .row_limit = 10};
  cache.Put(key, EntryOf("a"));
  ASSERT_NE(cache.Find(key), nullptr);
  EXPECT_EQ(cache.Find(key)->judgement.verdict.code, "a");
  EXPECT_EQ(cache.Find({.sql = "SELECT 2", .catalog_version = 1, .row_limit = 10}), nullptr);
  EXPECT_EQ(cache.Find({.sql = "SELECT 1", .catalog_version = 2, .row_limit = 10}), nullptr);
  EXPECT_EQ(cache.Find({.sql = "SELECT 1", .catalog_version = 1, .row_limit = 11}), nullptr);
  EXPECT_EQ(
      cache.Find({.sql = "SELECT 1", .parameters = "1", .catalog_version = 1, .row_limit = 10}),
      nullptr);
}

TEST(VerdictCache, DropsTheLeastRecentlyUsed) {
  VerdictCache cache;
  for (size_t i = 0; i < kCacheEntriesMax; ++i) {
    cache.Put({.sql = std::to_string(i)}, EntryOf("x"));
  }
  ASSERT_NE(cache.Find({.sql = "0"}), nullptr);  // used again
  cache.Put({.sql = "one more"}, EntryOf("x"));
  EXPECT_EQ(cache.size(), kCacheEntriesMax);
  EXPECT_NE(cache.Find({.sql = "0"}), nullptr);
  EXPECT_EQ(cache.Find({.sql = "1"}), nullptr);
}

TEST(VerdictCache, IsBoundInBytes) {
  VerdictCache cache;
  const std::string filler(1 << 20, 'x');
  for (int i = 0; i < 64; ++i) {
    const std::string sql = filler + std::to_string(i);
    cache.Put({.sql = sql}, EntryOf("x"));
  }
  EXPECT_LE(cache.size(), kCacheBytesMax >> 20);
  EXPECT_GT(cache.size(), 0U);
}

TEST(VerdictCache, ParameterTypesCountAndValuesDoNot) {
  using Kind = engine::Parameter::Kind;
  const engine::NamedParameters one{{"a", {.kind = Kind::kInteger, .integer = 1}}};
  const engine::NamedParameters two{{"a", {.kind = Kind::kInteger, .integer = 2}}};
  const engine::NamedParameters text{{"a", {.kind = Kind::kText, .text = "1"}}};
  EXPECT_EQ(ParameterShape(&one), ParameterShape(&two));
  EXPECT_NE(ParameterShape(&one), ParameterShape(&text));
  EXPECT_EQ(ParameterShape(nullptr), "");
}

}  // namespace
}  // namespace ducat::guard
