#include "packs/analyst/failed_read.h"

#include <gmock/gmock.h>

namespace ducat::analyst {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class FailedReadTest : public ::testing::Test {
 protected:
  FailedReadTest() {
    TableEntry file;
    file.name = "orders";
    file.source = "orders.parquet";
    file.status = TableStatus::kReady;
    TableEntry object = file;
    object.name = "shop";
    object.db_schema = "main";
    catalog.Reset({file, object}, {});
  }
  static Error Unreadable(const std::string& data) {
    return {.code = ErrorCode::kFailedPrecondition,
            .reason = "table_unreadable",
            .message = "\"orders\" cannot be read: a bad page",
            .data = data};
  }
  [[nodiscard]] const std::vector<LoadWarning>& Warnings(const char* name) const {
    return catalog.Find(name)->warnings;
  }
  Catalog catalog;
};

TEST_F(FailedReadTest, IsToldWithTheTableFromThenOn) {
  const uint64_t before = catalog.version();
  NoteFailedRead(Unreadable(R"("table":"orders")"), catalog);
  NoteFailedRead(Unreadable(R"("table":"orders")"), catalog);
  ASSERT_THAT(Warnings("orders"), SizeIs(1));
  EXPECT_EQ(Warnings("orders")[0].code, "read_failed");
  EXPECT_EQ(Warnings("orders")[0].message, "\"orders\" cannot be read: a bad page");
  EXPECT_EQ(catalog.version(), before + 1);
  EXPECT_EQ(catalog.Find("orders")->status, TableStatus::kReady);
}

TEST_F(FailedReadTest, OtherFailuresAreNotTheFiles) {
  NoteFailedRead(Unreadable(""), catalog);
  NoteFailedRead(Unreadable(R"("table":"gone")"), catalog);
  NoteFailedRead(Unreadable(R"("table":"shop")"), catalog);
  NoteFailedRead(Unreadable(R"("timeout_ms":5)"), catalog);
  Error timeout = Unreadable(R"("table":"orders")");
  timeout.reason = "query_timeout";
  NoteFailedRead(timeout, catalog);
  EXPECT_THAT(Warnings("orders"), IsEmpty());
  EXPECT_THAT(Warnings("shop"), IsEmpty());
}

}  // namespace
}  // namespace ducat::analyst
