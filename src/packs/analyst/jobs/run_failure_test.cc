#include "packs/analyst/jobs/run_failure.h"

#include <string>

#include "packs/analyst/jobs/jobs_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using testing::FailsWith;

const worker::CatalogTable kTable{
    .name = "t", .source = "a/t.parquet", .file = "/srv/data/a/t.parquet"};

TEST(RunFailureTest, SaysWhatTheEngineSaysAndWhichFileItIs) {
  const Error error = RunFailure(
      {.type = "Invalid Input",
       .message = "Failed to read file \"/srv/data/a/t.parquet\": Unsupported codec \"LZ4\""},
      kTable);
  EXPECT_EQ(error.reason, "table_unreadable");
  EXPECT_EQ(error.message,
            "\"t\" (file a/t.parquet) cannot be read: Failed to read file \"t.parquet\": "
            "Unsupported codec \"LZ4\"");
}

TEST(RunFailureTest, TheCatalogIsToldWhichTableFailed) {
  EXPECT_EQ(RunFailure({.type = "IO", .message = "gone"}, kTable).data, R"("table":"t")");
  EXPECT_EQ(RunFailure({.type = "Interrupt"}, kTable).data, "");
}

// An internal error's message is kept from callers, who would be left with a request id.
TEST(RunFailureTest, AnInternalErrorOfTheEngineIsTheTablesFault) {
  for (const std::string type : {"INTERNAL", "FATAL"}) {
    const Error error = RunFailure({.type = type, .message = "no 'metadata' column"}, kTable);
    EXPECT_EQ(error.code, ErrorCode::kFailedPrecondition);
    EXPECT_EQ(error.reason, "table_unreadable");
    EXPECT_NE(error.message.find("a/t.parquet"), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("no 'metadata' column"), std::string::npos) << error.message;
  }
}

TEST(RunFailureTest, LimitsKeepTheirReasons) {
  EXPECT_EQ(RunFailure({.type = "Interrupt"}, kTable).reason, "query_timeout");
  EXPECT_EQ(RunFailure({.type = "Out of Memory"}, kTable).reason, "memory_limit");
  EXPECT_EQ(RunFailure({.type = "IO", .message = "max_temp_directory_size"}, kTable).reason,
            "temp_limit");
}

Error Queried(const std::string& type, const std::string& message, const std::string& judged) {
  return QueryFailure({.type = type, .message = message}, {.reason = judged, .hint = "Hint."},
                      kTable);
}

TEST(RunFailureTest, AStatementOverAFileThatMayBeAtFaultNamesIt) {
  EXPECT_EQ(Queried("IO", "cannot open", "sql_execution_error").reason, "table_unreadable");
  EXPECT_EQ(Queried("Invalid Input", "Failed to read file \"x\": y", "sql_execution_error").reason,
            "table_unreadable");
  EXPECT_EQ(Queried("IO", "No space left", "temp_limit").reason, "temp_limit");
  const Error crash = Queried("INTERNAL", "x", "worker_crashed");
  EXPECT_EQ(crash.reason, "worker_crashed");
  EXPECT_NE(crash.hint.find("a/t.parquet"), std::string::npos) << crash.hint;
  EXPECT_EQ(Queried("Conversion", "x", "sql_execution_error").hint, "Hint.");
  EXPECT_EQ(Queried("Binder", "x", "invalid_sql").hint, "Hint.");
}

using RunFailureLive = JobsFixture;

TEST_F(RunFailureLive, ADamagedFileHasAReasonInEveryJob) {
  MountSelect("t", "SELECT range AS n, 'text ' || range AS s FROM range(20000)");
  std::fstream file(data_dir() / "t.parquet", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(4);
  file << std::string(2'000, '\xff');
  file.close();
  for (const auto& [job, arguments] : std::map<std::string, std::string>{
           {"describe_table", json::Encode(DescribeTableIn{.name = "t"})},
           {"sample_rows", json::Encode(SampleRowsIn{.name = "t"})},
           {"profile_table", json::Encode(ProfileTableIn{.name = "t"})}}) {
    const auto result = RunText(job, arguments);
    ASSERT_THAT(result, FailsWith("table_unreadable")) << job;
    EXPECT_NE(result.error().message.find("(file t.parquet) cannot be read: "), std::string::npos);
    EXPECT_GT(result.error().message.size(), 45U) << result.error().message;
    EXPECT_EQ(result.error().message.find(data_dir().string()), std::string::npos);
  }
}

}  // namespace
}  // namespace ducat::analyst
