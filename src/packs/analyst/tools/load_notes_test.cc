#include "packs/analyst/tools/load_notes.h"

#include <gmock/gmock.h>

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LoadNotes : public ::testing::Test {
 protected:
  void SetUp() override {
    TableEntry sales{.name = "sales", .source = "sales.csv", .status = TableStatus::kReady};
    sales.warnings = {{.code = "footer", .count = 1},
                      {.code = "long_row", .count = 3},
                      {.code = "blank_lines", .count = 2},
                      {.code = "number_format", .column = "Price", .count = 9}};
    TableEntry clean{.name = "clean", .source = "clean.csv", .status = TableStatus::kReady};
    catalog_.Reset({sales, clean}, {});
  }
  std::vector<std::string> Notes(std::string_view sql, std::vector<std::string> tables) {
    RowResult rows;
    rows.tables = std::move(tables);
    AddLoadNotes(catalog_, sql, rows);
    return rows.notes;
  }
  Catalog catalog_;
};

TEST_F(LoadNotes, SayWhichRecordsAreMissing) {
  EXPECT_THAT(Notes("SELECT count(*) FROM sales", {"sales"}),
              ElementsAre("1 record of sales.csv could not be loaded (footer) and is not in sales; "
                          "describe_table tells more.",
                          HasSubstr("3 records of sales.csv")));
  EXPECT_THAT(Notes("SELECT 1 FROM clean", {"clean", "gone"}), IsEmpty());
}

TEST_F(LoadNotes, NameColumnsKeptAsTextThatAreUsed) {
  EXPECT_THAT(Notes("SELECT max(price) FROM sales", {"sales"}),
              ElementsAre(HasSubstr("footer"), HasSubstr("long_row"),
                          HasSubstr("Column Price of sales is text (number_format)")));
}

}  // namespace
}  // namespace ducat::analyst
