// The reference page in docs/tools must be what `ducat tools --markdown` writes.
#include "app/tool_page.h"

#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

#include "app/analyst_host.h"
#include "support/result_matchers.h"

namespace ducat::app {
namespace {

std::string Page() {
  Settings settings;
  settings.analyst.allow_saved_queries = true;
  auto host = AnalystHost::Build(std::move(settings), false);
  EXPECT_THAT(host, testing::IsOk());
  return ToolReference((*host)->registry(), "analyst");
}

TEST(ToolPage, IsNotStale) {
  std::ifstream file(std::string(DUCAT_SOURCE_DIR) + "/docs/tools/analyst.md");
  const std::string committed{std::istreambuf_iterator<char>(file), {}};
  EXPECT_TRUE(committed == Page())
      << "docs/tools/analyst.md is stale: ducat tools --markdown > docs/tools/analyst.md";
}

TEST(ToolPage, ShowsArgumentsResultsAndErrors) {
  const std::string page = Page();
  EXPECT_THAT(page, ::testing::HasSubstr("\n## query\n"));
  EXPECT_THAT(page, ::testing::HasSubstr("| `limit` | integer | `200` | 1 to 1000 |"));
  EXPECT_THAT(page, ::testing::HasSubstr("| `tables[].row_count` | integer or null |"));
  EXPECT_THAT(page, ::testing::HasSubstr("| `denied_keyword` |"));
}

}  // namespace
}  // namespace ducat::app
