#include "mcp/tool.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::mcp {
namespace {

struct In {
  int64_t n = 0;
  static constexpr auto Fields() {
    return std::array{json::Describe<&In::n>("n", "A number.", {.maximum = 9})};
  }
};

TEST(DecodeTool, FillsTheInputOrNamesTheTool) {
  json::Document document;
  In in;
  const ToolInfo info{.name = "probe", .title = "P", .description = "D"};
  RepairCounts repairs;
  const internal::DecodeTarget target{json::kShape<In>, &in, repairs};
  EXPECT_THAT(internal::DecodeTool(info, *document.Parse(R"({"N":"7"})"), target),
              ducat::testing::IsOk());
  EXPECT_EQ(in.n, 7);
  EXPECT_THAT(repairs, ::testing::FieldsAre(1, 0, 1)) << "a name and a type";
  const Status refused = internal::DecodeTool(info, *document.Parse(R"({"n":10})"), target);
  EXPECT_THAT(refused, ducat::testing::FailsWith("invalid_arguments"));
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("for tool probe"));
}

}  // namespace
}  // namespace ducat::mcp
