#include "packs/analyst/catalog.h"

#include <gmock/gmock.h>

#include "packs/analyst/catalog_entries.h"

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TableEntry Entry(const std::string& name, TableStatus status = TableStatus::kPending) {
  TableEntry entry;
  entry.name = name;
  entry.kind = "view";
  entry.source = name + ".csv";
  entry.status = status;
  return entry;
}

std::vector<std::string> TableNames(const worker::CatalogDelta& delta) {
  std::vector<std::string> names;
  for (const auto& table : delta.tables)
    names.push_back(table.name);
  return names;
}

TEST(Catalog, FindsNamesAsAgentsWriteThem) {
  Catalog catalog;
  catalog.Reset({Entry("orders"), Entry("a \"b\"")}, {});
  for (const char* name : {"orders", "ORDERS", " orders ", "\"Orders\""}) {
    ASSERT_NE(catalog.Find(name), nullptr) << name;
    EXPECT_EQ(catalog.Find(name)->name, "orders");
  }
  EXPECT_NE(catalog.Find("\"a \"\"b\"\"\""), nullptr);
  EXPECT_EQ(catalog.Find("order"), nullptr);
  EXPECT_EQ(catalog.Find(""), nullptr);
  EXPECT_EQ(catalog.Find("\""), nullptr);
}

TEST(Catalog, ListsByNameAndUnreadableLast) {
  Catalog catalog;
  catalog.Reset({Entry("c"), Entry("a", TableStatus::kUnreadable), Entry("b"),
                 Entry("", TableStatus::kSkipped)},
                {});
  std::vector<std::string> names;
  for (const TableEntry* entry : catalog.Listed())
    names.push_back(entry->name);
  EXPECT_THAT(names, ElementsAre("b", "c", "a", ""));
}

TEST(Catalog, SendsWorkersWhatHasChanged) {
  Catalog catalog;
  TableEntry outside = Entry("", TableStatus::kSkipped);
  outside.source = "out.csv";
  outside.reason = "outside_link";
  catalog.Reset({Entry("a"), Entry("b"), outside}, {"a.csv", "b.csv", "x.md"});
  const uint64_t first = catalog.version();
  const worker::CatalogDelta whole = catalog.DeltaFrom(0);
  EXPECT_EQ(whole.from_version, 0U);
  EXPECT_EQ(whole.version, first);
  EXPECT_THAT(TableNames(whole), ElementsAre("a", "b"));
  EXPECT_THAT(whole.files, ElementsAre("a.csv", "b.csv", "x.md"));
  EXPECT_THAT(whole.outside_files, ElementsAre("out.csv"));

  catalog.Update("b", [](TableEntry& entry) {
    entry.status = TableStatus::kReady;
    entry.mounted_file = "/tmp/b.parquet";
  });
  const worker::CatalogDelta delta = catalog.DeltaFrom(first);
  EXPECT_EQ(delta.from_version, first);
  EXPECT_THAT(TableNames(delta), ElementsAre("b"));
  EXPECT_EQ(delta.tables[0].file, "/tmp/b.parquet");
  EXPECT_THAT(delta.files, IsEmpty());
  EXPECT_THAT(TableNames(catalog.DeltaFrom(catalog.version())), IsEmpty());
}

TEST(Catalog, TakesUnreadableTablesFromWorkers) {
  Catalog catalog;
  catalog.Reset({Entry("a")}, {});
  const uint64_t first = catalog.version();
  catalog.Update("a", [](TableEntry& entry) { entry.status = TableStatus::kUnreadable; });
  EXPECT_THAT(catalog.DeltaFrom(first).removed, ElementsAre("a"));
  EXPECT_THAT(TableNames(catalog.DeltaFrom(0)), IsEmpty());
}

TEST(Catalog, StartsWorkersAfreshAfterAReset) {
  Catalog catalog;
  catalog.Reset({Entry("a")}, {});
  const uint64_t first = catalog.version();
  catalog.Reset({Entry("b")}, {});
  EXPECT_EQ(catalog.DeltaFrom(first).from_version, 0U);
  EXPECT_EQ(catalog.DeltaFrom(catalog.version() + 5).from_version, 0U);
}

TEST(Catalog, MovesTheListVersionOnlyWhenTablesAppear) {
  Catalog catalog;
  catalog.Reset({Entry("a")}, {});
  const uint64_t list = catalog.list_version();
  catalog.Update("a", [](TableEntry& entry) { entry.status = TableStatus::kReady; });
  EXPECT_EQ(catalog.list_version(), list);
  catalog.Reset({Entry("a")}, {});
  EXPECT_NE(catalog.list_version(), list);
}

DatabaseObject Object(const std::string& schema, const std::string& name) {
  return {.schema = schema, .name = name, .kind = ObjectKind::kTable, .columns = {}};
}

TEST(NamedEntries, GivesDatabaseObjectsTheirNamesFirst) {
  ScannedDirectory directory;
  directory.files = {{.path = "Orders.csv", .bytes = 3}, {.path = "orders.csv", .bytes = 3}};
  NameAssignment names({}, 0);
  const auto entries = NamedEntries(directory, {Object("main", "orders")}, names);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "orders");
  EXPECT_EQ(entries[0].source, "db:main.orders");
  EXPECT_EQ(entries[0].kind, "table");
  EXPECT_EQ(entries[1].name, "orders_2");
  EXPECT_EQ(entries[2].name, "orders_3");
}

TEST(NamedEntries, QualifiesNamesThatSchemasShare) {
  NameAssignment names({}, 0);
  const auto entries =
      NamedEntries({}, {Object("main", "t"), Object("Sales", "T"), Object("sales", "u")}, names);
  EXPECT_EQ(entries[0].name, "main_t");
  EXPECT_EQ(entries[1].name, "sales_t");
  EXPECT_EQ(entries[2].name, "u");
}

// What is kept is UTF-8, and gives the same name at the next start.
TEST(NamedEntries, NamesThatAreNoUtf8AreStable) {
  ScannedDirectory directory;
  directory.files = {{.path = "caf\xE8.csv"}, {.path = "caf\xE9.csv"}, {.path = "x.csv"}};
  directory.skipped = {{.path = "\xFF.csv", .reason = "too_large"}};
  NameAssignment first({}, 0);
  const auto entries = NamedEntries(directory, {}, first);
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(entries[1].source, "caf\\xE9.csv");
  EXPECT_EQ(entries[1].name, "caf_2");
  EXPECT_EQ(entries[1].file_path(), "caf\xE9.csv");
  EXPECT_EQ(entries[2].file_path(), "x.csv");
  EXPECT_EQ(entries[3].source, "\\xFF.csv");
  directory.files.erase(directory.files.begin());
  NameAssignment second(first.Known(), 1);
  EXPECT_EQ(NamedEntries(directory, {}, second)[0].name, "caf_2");
}

TEST(NamedEntries, TwoFilesThatAreWrittenAlikeAreNotOne) {
  ScannedDirectory directory;
  directory.files = {{.path = "caf\\xE9.csv"}, {.path = "caf\xE9.csv"}};
  NameAssignment names({}, 0);
  const auto entries = NamedEntries(directory, {}, names);
  EXPECT_EQ(entries[0].name, "caf_xe9");
  EXPECT_EQ(entries[0].file_path(), "caf\\xE9.csv");
  EXPECT_EQ(entries[1].status, TableStatus::kSkipped);
  EXPECT_EQ(entries[1].reason, "ambiguous_name");
  Catalog catalog;
  catalog.Reset(entries, {});
  EXPECT_EQ(catalog.Listed().size(), 2U);
}

TEST(NamedEntries, KnowsEmptyFilesWithoutReadingThem) {
  ScannedDirectory directory;
  directory.files = {{.path = "none.csv", .bytes = 0}};
  directory.skipped = {{.path = "big.csv", .reason = "too_large"}};
  NameAssignment names({}, 0);
  const auto entries = NamedEntries(directory, {}, names);
  EXPECT_EQ(entries[0].status, TableStatus::kEmpty);
  EXPECT_EQ(entries[1].status, TableStatus::kSkipped);
  EXPECT_EQ(entries[1].name, "");
  EXPECT_EQ(entries[1].reason, "too_large");
}

}  // namespace
}  // namespace ducat::analyst
