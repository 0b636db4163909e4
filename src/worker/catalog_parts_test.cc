#include "worker/catalog_parts.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "json/encode.h"

namespace ducat::worker {
namespace {

CatalogDelta Example() {
  CatalogDelta delta{.from_version = 3, .version = 5};
  for (int i = 0; i < 50; ++i) {
    const std::string name = "t" + std::to_string(i);
    delta.tables.push_back({.name = name, .columns = {{.name = "a", .type = "INTEGER"}}});
    delta.files.push_back(name + ".csv");
    if (i % 2 == 0) delta.removed.push_back(name);
    if (i % 3 == 0) delta.removed_files.push_back(name + ".csv");
  }
  delta.outside_files = {"link.csv"};
  return delta;
}

// The catalog as a worker would keep it.
struct Applied {
  uint64_t version = 3;
  std::set<std::string> tables{"t0", "old"}, files{"t0.csv", "old.csv"}, outside;

  void Apply(const CatalogDelta& delta) {
    ASSERT_EQ(delta.from_version, version);
    for (const auto& name : delta.removed)
      tables.erase(name);
    for (const auto& table : delta.tables)
      tables.insert(table.name);
    for (const auto& file : delta.removed_files)
      files.erase(file);
    files.insert(delta.files.begin(), delta.files.end());
    outside.insert(delta.outside_files.begin(), delta.outside_files.end());
    version = delta.version;
  }
  bool operator==(const Applied&) const = default;
};

TEST(CatalogParts, ASmallDeltaStaysWhole) {
  const CatalogDelta delta = Example();
  const auto parts = SplitDelta(delta);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(json::Encode(parts.front()), json::Encode(delta));
  EXPECT_EQ(SplitDelta({.from_version = 1, .version = 2}).size(), 1u);
}

TEST(CatalogParts, PartsGiveTheSameCatalog) {
  Applied whole;
  whole.Apply(Example());
  for (const size_t part_bytes : {1u, 100u, 500u, 3'000u}) {
    Applied cut;
    const auto parts = SplitDelta(Example(), part_bytes);
    EXPECT_GT(parts.size(), 1u);
    for (const CatalogDelta& part : parts)
      cut.Apply(part);
    EXPECT_EQ(cut, whole) << part_bytes;
  }
}

TEST(CatalogParts, EachPartFitsAFrameWhateverIsEscaped) {
  CatalogDelta delta{.from_version = 1, .version = 2};
  for (int i = 0; i < 2'000; ++i) {
    delta.files.emplace_back(4'000, '\x01');  // six bytes each as JSON
  }
  const auto parts = SplitDelta(delta);
  EXPECT_GT(parts.size(), 3u);
  for (const CatalogDelta& part : parts)
    EXPECT_LE(json::Encode(part).size(), kFramePayloadMax);
}

}  // namespace
}  // namespace ducat::worker
