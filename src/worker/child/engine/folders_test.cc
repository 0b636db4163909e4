#include "worker/child/engine/folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::engine {
namespace {

using ::testing::ElementsAre;

TEST(Folders, TheLongestComesFirst) {
  EXPECT_THAT(FoldersOf({.data_dir = "/d", .db_file = "/d/b/shop.db", .tables_dir = "/d/tables"}),
              ElementsAre("/d/tables/", "/d/b/", "/d/"));
  EXPECT_THAT(FoldersOf({.private_dir = "/p"}), ElementsAre());
}

TEST(Folders, NamesBecomeRelative) {
  const auto folders = FoldersOf({.data_dir = "/srv/a\"b", .tables_dir = "/srv/a\"b/tables"});
  EXPECT_EQ(WithoutFolders("file \"/srv/a\"b/x.csv\" and /srv/a\"b/tables/t.parquet", folders),
            "file \"x.csv\" and t.parquet");
  EXPECT_EQ(WithoutFolders(R"({"f":"/srv/a\"b/x.csv"})", folders), R"({"f":"x.csv"})");
  EXPECT_EQ(WithoutFolders("/srv/ab/x.csv", folders), "/srv/ab/x.csv");
  EXPECT_EQ(WithoutFolders("", folders), "");
}

}  // namespace
}  // namespace ducat::engine
