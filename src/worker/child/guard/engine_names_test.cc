#include "worker/child/guard/engine_names.h"

#include <gtest/gtest.h>

namespace ducat::guard {
namespace {

TEST(EngineNames, HintsHoldWhatIsNearAsItIsWritten) {
  EXPECT_EQ(ColumnHint("us_gross", {"US Gross", "Source"}), "Did you mean \"US Gross\"?");
  EXPECT_EQ(ColumnHint("sourec", {"US Gross", "Source"}), "Did you mean Source?");
  EXPECT_EQ(ColumnHint("amuont", {"amount_eur", "id"}), "Did you mean amount_eur?");
  EXPECT_EQ(ColumnHint("x", {}), "DESCRIBE the table to see its columns.");
  EXPECT_EQ(ColumnHint("digital", {"id", "b", "c", "d", "e", "f"}),
            "Names there: id, b, c, d, e, ...; DESCRIBE shows all of a table. Text goes in single "
            "quotes.");
}

TEST(EngineNames, TheWrapperIsNotOffered) {
  const engine::EngineError error{.message = "m", .candidates = {"_q.a", " b ", ""}};
  EXPECT_EQ(OfferedNames(error), std::vector<std::string>{"b"});
  const engine::EngineError told{.message = "m\n\nCandidate bindings: : \"x\", \"y\""};
  EXPECT_EQ(OfferedNames(told), (std::vector<std::string>{"x", "y"}));
}

TEST(EngineNames, UngroupedColumns) {
  EXPECT_EQ(UngroupedColumn("column nope must appear in the GROUP BY clause or be used in ..."),
            "nope");
  EXPECT_EQ(UngroupedColumn("column \"a b\" must appear in the GROUP BY clause or ..."), "a b");
  EXPECT_FALSE(UngroupedColumn("must appear in the GROUP BY clause").has_value());
  EXPECT_EQ(FirstQuoted("a \"b\" \"c\""), "b");
  EXPECT_EQ(FirstQuoted("none"), "");
}

}  // namespace
}  // namespace ducat::guard
