#include "packs/analyst/saved_queries.h"

#include <gmock/gmock.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::ScratchFolder;
using ::testing::SizeIs;

SavedQuery Query(const std::string& name) {
  return {.name = name, .sql = "SELECT 1", .description = "One.", .params = {}, .updated = "now"};
}

SavedParameter Parameter(ParameterType type, const std::string& default_json = "") {
  SavedParameter parameter{.type = type, .description = "p", .default_value = {}, .choices = {}};
  if (!default_json.empty()) parameter.default_value = json::AnyValue{.json = default_json};
  return parameter;
}

TEST(SavedQueries, ComeBackAfterARestart) {
  const ScratchFolder folder;
  const std::string file = folder.string() + "/state/saved.json";
  SavedQueries first(file, "");
  EXPECT_THAT(first.Load(), IsEmpty());
  SavedQuery query = Query("by_day");
  query.params.emplace("day", Parameter(ParameterType::kDate, "\"2026-01-01\""));
  EXPECT_THAT(first.Put(query, false), IsOk());

  SavedQueries second(file, "");
  EXPECT_THAT(second.Load(), IsEmpty());
  ASSERT_NE(second.Find("by_day"), nullptr);
  const SavedParameter& day = second.Find("by_day")->params.at("day");
  EXPECT_EQ(day.type, ParameterType::kDate);
  EXPECT_EQ(day.default_value->json, "\"2026-01-01\"");
}

TEST(SavedQueries, ReplaceOnlyWhenAsked) {
  const ScratchFolder folder;
  SavedQueries queries(folder.string() + "/saved.json", "");
  EXPECT_EQ(queries.Put(Query("a"), false).value(), false);
  EXPECT_THAT(queries.Put(Query("a"), false), FailsWith("saved_query_exists"));
  EXPECT_EQ(queries.Put(Query("a"), true).value(), true);
  EXPECT_THAT(queries.All(), SizeIs(1));
}

TEST(SavedQueries, ChangeNothingWhenTheFileCannotBeWritten) {
  const ScratchFolder folder;
  folder.Write("blocked", "a file where a folder is needed");
  SavedQueries queries(folder.string() + "/blocked/saved.json", "");
  EXPECT_THAT(queries.Put(Query("a"), false), FailsWith("file_not_written"));
  EXPECT_EQ(queries.Find("a"), nullptr);
  SavedQueries nowhere("", "");
  EXPECT_THAT(nowhere.Put(Query("a"), false), FailsWith("file_not_written"));
}

TEST(SavedQueries, HoldFiveHundredAndNoMore) {
  const ScratchFolder folder;
  std::string content = R"({"version":1,"queries":[)";
  for (size_t i = 0; i < kSavedQueriesMax - 1; ++i) {
    content += (i == 0 ? "" : ",") + (R"({"name":"q)" + std::to_string(i)) +
               R"(","sql":"SELECT 1","description":"d","params":{},"updated":"x"})";
  }
  folder.Write("saved.json", content + "]}");
  SavedQueries queries(folder.string() + "/saved.json", "");
  EXPECT_THAT(queries.Load(), IsEmpty());
  EXPECT_THAT(queries.Put(Query("last"), false), IsOk());
  EXPECT_THAT(queries.Put(Query("too_many"), false), FailsWith("saved_queries_full"));
  EXPECT_THAT(queries.Put(Query("last"), true), IsOk());
}

TEST(SavedQueries, ReadTheDataDirectorysButNeverWriteThem) {
  const ScratchFolder folder;
  const std::string shipped =
      R"({"version":1,"queries":[)"
      R"({"name":"a","sql":"SELECT 2","description":"d","params":{},"updated":"x"},)"
      R"({"name":"Bad Name","sql":"SELECT 2","description":"d","params":{},"updated":"x"}]})";
  folder.Write("data/saved_queries.json", shipped);
  SavedQueries queries(folder.string() + "/own.json", folder.string() + "/data/saved_queries.json");
  EXPECT_THAT(queries.Load(), SizeIs(1));  // the bad name is told, the rest is kept
  EXPECT_EQ(queries.Find("a")->sql, "SELECT 2");
  EXPECT_EQ(queries.Put(Query("a"), true).value(), true);
  EXPECT_EQ(queries.Find("a")->sql, "SELECT 1");
  EXPECT_THAT(queries.All(), SizeIs(1));
  EXPECT_EQ(folder.Read("data/saved_queries.json"), shipped);
}

TEST(SavedQueries, ReportADamagedFile) {
  const ScratchFolder folder;
  folder.Write("saved.json", "[]");
  SavedQueries queries(folder.string() + "/saved.json", "");
  EXPECT_THAT(queries.Load(), SizeIs(1));
}

TEST(CheckSavedQuery, KnowsGoodNames) {
  for (const std::string& name : {std::string("a"), std::string("a1_b"), std::string(63, 'x')}) {
    EXPECT_THAT(CheckSavedQuery(Query(name)), IsOk()) << name;
  }
  for (const std::string& name : {std::string(), std::string("1a"), std::string("A"),
                                  std::string("a-b"), std::string(64, 'x')}) {
    EXPECT_THAT(CheckSavedQuery(Query(name)), FailsWith("invalid_name")) << name;
  }
}

struct ParameterCase {
  const char* name;
  SavedParameter parameter;
  bool good;
};

class ParameterRules : public ::testing::TestWithParam<ParameterCase> {};

TEST_P(ParameterRules, Hold) {
  SavedQuery query = Query("q");
  query.params.emplace(GetParam().name, GetParam().parameter);
  if (GetParam().good) {
    EXPECT_THAT(CheckSavedQuery(query), IsOk());
  } else {
    EXPECT_THAT(CheckSavedQuery(query), FailsWith("invalid_arguments"));
  }
}

SavedParameter Choices(ParameterType type, const std::string& default_json) {
  SavedParameter parameter = Parameter(type, default_json);
  parameter.choices = {"x", "y"};
  return parameter;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ParameterRules,
    ::testing::Values(ParameterCase{"n", Parameter(ParameterType::kInteger, "5"), true},
                      ParameterCase{"n", Parameter(ParameterType::kInteger, "5.5"), false},
                      ParameterCase{"n", Parameter(ParameterType::kNumber, "5.5"), true},
                      ParameterCase{"n", Parameter(ParameterType::kNumber, "\"5\""), false},
                      ParameterCase{"n", Parameter(ParameterType::kBoolean, "true"), true},
                      ParameterCase{"n", Parameter(ParameterType::kBoolean, "1"), false},
                      ParameterCase{"n", Parameter(ParameterType::kString), true},
                      ParameterCase{"n", Parameter(ParameterType::kString, "null"), false},
                      ParameterCase{"n", Parameter(ParameterType::kDate, "\"2026-02-28\""), true},
                      ParameterCase{"n", Parameter(ParameterType::kDate, "\"2026-02-30\""), false},
                      ParameterCase{
                          "n", Parameter(ParameterType::kTimestamp, "\"2026-02-28 10:00\""), true},
                      ParameterCase{"n", Parameter(ParameterType::kTimestamp, "\"noon\""), false},
                      ParameterCase{"Bad", Parameter(ParameterType::kString), false},
                      ParameterCase{"n", Choices(ParameterType::kString, "\"x\""), true},
                      ParameterCase{"n", Choices(ParameterType::kString, "\"z\""), false},
                      ParameterCase{"n", Choices(ParameterType::kInteger, ""), false}));

}  // namespace
}  // namespace ducat::analyst
