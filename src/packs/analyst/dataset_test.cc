// The dataset and its loader: what becomes of files, whoever waits.
#include "packs/analyst/dataset.h"

#include <chrono>
#include <thread>

#include <gmock/gmock.h>

#include "support/dataset_fixture.h"
#include "support/result_matchers.h"

namespace ducat::analyst {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;

class DatasetTest : public ::testing::Test, protected DatasetFixture {
 protected:
  const TableEntry& Entry(std::string_view name) { return *catalog.Find(name); }
  // Every file of the directory fails to load with `reason`.
  void FailIngestion(ErrorCode code, const std::string& reason) {
    jobs.ingest = [code, reason](const worker::JobRequest&) -> Result<worker::JobResult> {
      return Fail(code, reason, "What is wrong with the file.");
    };
  }
};

TEST_F(DatasetTest, LoadsTablesAndMovesTheirFilesIntoPlace) {
  data.Write("orders.csv", "id\n1\n2\n");
  Open();
  LoadAll();
  const TableEntry& orders = Entry("orders");
  EXPECT_EQ(orders.status, TableStatus::kReady);
  EXPECT_EQ(orders.row_count, 2);
  EXPECT_THAT(orders.columns, SizeIs(1));
  EXPECT_EQ(temp.Read(orders.mounted_file.substr(temp.string().size() + 1)), "columnar");
  EXPECT_EQ(temp.Read("out.tmp"), "");
  ASSERT_THAT(jobs.requests, SizeIs(1));
  EXPECT_EQ(jobs.requests[0].arguments,
            R"({"path":"orders.csv","escaped":false,"format":"csv","unpack_ratio_max":1000})");
  EXPECT_EQ(jobs.requests[0].timeout, settings.load_timeout);
}

TEST_F(DatasetTest, LoadsFilesWhoseNamesAreNoUtf8) {
  settings.unpack_ratio_max = 7;
  data.Write("caf\xE9.csv", "id\n1\n2\n");
  Open();
  LoadAll();
  EXPECT_EQ(Entry("caf").status, TableStatus::kReady);
  EXPECT_EQ(Entry("caf").source, "caf\\xE9.csv");
  ASSERT_THAT(jobs.requests, SizeIs(1));
  EXPECT_EQ(jobs.requests[0].arguments,
            R"({"path":"caf\\xE9.csv","escaped":true,"format":"csv","unpack_ratio_max":7})");
}

TEST_F(DatasetTest, MountsParquetWhereItIs) {
  data.Write("orders.parquet", "PAR1");
  jobs.ingest = [](const worker::JobRequest&) -> Result<worker::JobResult> {
    IngestFileOut out;
    out.in_place = true;
    return worker::JobResult{.meta = json::Encode(out)};
  };
  Open();
  LoadAll();
  EXPECT_EQ(Entry("orders").mounted_file, data.string() + "/orders.parquet");
}

TEST_F(DatasetTest, ReadsParquetFirstThenSmallFiles) {
  data.Write("big.csv", "id\n" + std::string(50, '1'));
  data.Write("small.csv", "id\n1");
  data.Write("z.parquet", std::string(500, 'x'));
  Open();
  LoadAll();
  std::vector<std::string> order;
  for (const auto& request : jobs.requests)
    order.push_back(request.statement);
  EXPECT_THAT(order, ElementsAre("file:z.parquet", "file:small.csv", "file:big.csv"));
}

TEST_F(DatasetTest, ReadsOnlyWhatIsUsedWhenThereIsMuch) {
  settings.eager_files_max = 2;
  for (const char* file : {"a.csv", "b.csv", "c.csv"})
    data.Write(file, "id\n1\n");
  Open();
  ASSERT_THAT(Await(dataset->Listed(context.deadline, {})), IsOk());
  EXPECT_THAT(jobs.requests, IsEmpty());
  EXPECT_THAT(dataset->WorthLoading({}), IsEmpty());
  ASSERT_THAT(Await(dataset->Load({"b"}, context.deadline, context)), IsOk());
  EXPECT_EQ(Entry("b").status, TableStatus::kReady);
  EXPECT_EQ(Entry("a").status, TableStatus::kPending);
  EXPECT_THAT(jobs.requests, SizeIs(1));
}

TEST_F(DatasetTest, ReadsAsManyOfManyFilesAsThereIsTimeFor) {
  settings.eager_files_max = 0;
  for (const char* file : {"a.csv", "b.csv", "c.csv"})
    data.Write(file, "id\n1\n");
  jobs.ingest = [this](const worker::JobRequest&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return Ingested();
  };
  Open();
  ASSERT_THAT(Await(dataset->Listed(context.deadline, {})), IsOk());
  const auto until = clock.Now() + std::chrono::milliseconds(50);
  ASSERT_THAT(Await(dataset->LoadWithin({}, until, context)), IsOk());
  EXPECT_THAT(jobs.requests, SizeIs(1)) << "the rest is not read behind the caller's back";
  ASSERT_THAT(Await(dataset->LoadWithin({}, context.deadline, context)), IsOk());
  EXPECT_THAT(jobs.requests, SizeIs(3));
}

struct ReasonCase {
  ErrorCode code;
  const char* from_job;
  const char* shown;
};
class FileReasons : public DatasetTest, public ::testing::WithParamInterface<ReasonCase> {};

TEST_P(FileReasons, AreListedAndStopNothingElse) {
  data.Write("bad.csv", "x");
  data.Write("good.csv", "id\n1\n2\n");
  jobs.ingest = [this](const worker::JobRequest& request) -> Result<worker::JobResult> {
    if (request.statement == "file:good.csv") return Ingested();
    return Fail(GetParam().code, GetParam().from_job, "What is wrong.");
  };
  Open();
  LoadAll();
  EXPECT_EQ(Entry("bad").status, TableStatus::kUnreadable);
  EXPECT_EQ(Entry("bad").reason, GetParam().shown);
  EXPECT_EQ(Entry("bad").detail, "What is wrong.");
  EXPECT_EQ(Entry("good").status, TableStatus::kReady);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FileReasons,
    ::testing::Values(ReasonCase{ErrorCode::kUnavailable, "worker_crashed", "engine_crash"},
                      ReasonCase{ErrorCode::kUnavailable, "quarantined", "engine_crash"},
                      ReasonCase{ErrorCode::kDeadlineExceeded, "query_timeout", "timeout"},
                      ReasonCase{ErrorCode::kResourceExhausted, "memory_limit", "engine_error"},
                      ReasonCase{ErrorCode::kInvalidArgument, "deep_nesting", "deep_nesting"},
                      ReasonCase{ErrorCode::kInvalidArgument, "corrupt", "corrupt"}));

TEST_F(DatasetTest, KnowsEmptyFilesByTheWorkersWord) {
  data.Write("blank.csv", "\n\n");
  FailIngestion(ErrorCode::kInvalidArgument, "empty");
  Open();
  LoadAll();
  EXPECT_EQ(Entry("blank").status, TableStatus::kEmpty);
  EXPECT_EQ(Entry("blank").reason, "");
  EXPECT_EQ(Entry("blank").row_count, 0);
}

TEST_F(DatasetTest, BlamesNoFileForAMissingWorker) {
  data.Write("a.csv", "id\n1\n");
  FailIngestion(ErrorCode::kUnavailable, "worker_unavailable");
  Open();
  ASSERT_THAT(Await(dataset->Listed(context.deadline, {})), IsOk());
  EXPECT_THAT(Await(dataset->Load({"a"}, context.deadline, context)),
              FailsWith("worker_unavailable"));
  EXPECT_EQ(Entry("a").status, TableStatus::kPending);
  jobs.ingest = [this](const worker::JobRequest&) { return Ingested(); };
  EXPECT_THAT(Await(dataset->Load({"a"}, context.deadline, context)), IsOk());
  EXPECT_EQ(Entry("a").status, TableStatus::kReady);
}

TEST_F(DatasetTest, ReadsAFileAgainThatChangesMeanwhile) {
  data.Write("a.csv", "id\n1\n");
  int reads = 0;
  jobs.ingest = [&](const worker::JobRequest&) {
    if (++reads < 3) data.Write("a.csv", "id\n1\n" + std::string(static_cast<size_t>(reads), '2'));
    return Ingested();
  };
  Open();
  LoadAll();
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(Entry("a").status, TableStatus::kReady);
  EXPECT_EQ(Entry("a").bytes, 7U);
}

TEST_F(DatasetTest, GivesUpOnAFileThatNeverStandsStill) {
  data.Write("a.csv", "id\n");
  size_t reads = 0;
  jobs.ingest = [&](const worker::JobRequest&) {
    data.Write("a.csv", std::string(++reads, '2'));
    return Ingested();
  };
  Open();
  LoadAll();
  EXPECT_EQ(reads, 3U);
  EXPECT_EQ(Entry("a").status, TableStatus::kUnreadable);
  EXPECT_EQ(Entry("a").reason, "file_changed");
}

TEST_F(DatasetTest, StopsWaitingAtItsTimeAndOnCancelling) {
  data.Write("a.csv", "id\n1\n");
  Open();
  ASSERT_THAT(Await(dataset->Listed(context.deadline, {})), IsOk());
  catalog.Update("a", [](TableEntry& entry) { entry.status = TableStatus::kLoading; });
  EXPECT_THAT(Await(dataset->Load({"a"}, clock.Now() + std::chrono::milliseconds(5), context)),
              IsOk());
  EXPECT_FALSE(Entry("a").loaded());
  CancelSource source;
  context.cancel = source.token();
  source.Cancel(CancelCause::kClient);
  EXPECT_THAT(Await(dataset->Load({"a"}, context.deadline, context)), FailsWith("cancelled"));
}

TEST_F(DatasetTest, KeepsNamesInTheStateDirectory) {
  const testing::ScratchFolder state;
  settings.state_dir = state.string() + "/x";
  data.Write("b c.csv", "1");
  Open();
  LoadAll();
  EXPECT_EQ(catalog.Find("b_c")->source, "b c.csv");
  data.Write("b-c.csv", "1");  // sorts after, but its name was free before
  data.Write("B C.csv", "1");  // sorts before
  Open();
  LoadAll();
  EXPECT_EQ(catalog.Find("b_c")->source, "b c.csv");
  EXPECT_EQ(catalog.Find("b_c_2")->source, "B C.csv");
  EXPECT_EQ(catalog.Find("b_c_3")->source, "b-c.csv");
}

TEST_F(DatasetTest, GivesNamesAnewWhenTheirFileIsDamaged) {
  const testing::ScratchFolder state;
  state.Write("names.json", "not json");
  settings.state_dir = state.string();
  data.Write("a.csv", "1");
  Open();
  LoadAll();
  EXPECT_NE(catalog.Find("a"), nullptr);
  EXPECT_THAT(log_lines, SizeIs(::testing::Ge(1U)));
  EXPECT_NE(state.Read("names.json"), "not json");
}

TEST_F(DatasetTest, ServesFilesWhenTheDatabaseIsLockedAndTriesAgain) {
  data.Write("a.csv", "id\n1\n");
  settings.db_file = "some.db";
  bool locked = true;
  jobs.query = [&](const worker::JobRequest&) -> Result<worker::JobResult> {
    if (locked) return Fail(ErrorCode::kUnavailable, "database_locked", "A writer holds it.");
    DatabaseObjectsOut out;
    out.objects.push_back(
        {.schema = "main", .name = "T1", .kind = ObjectKind::kTable, .columns = {}});
    out.total = 1;
    return worker::JobResult{.meta = json::Encode(out)};
  };
  Open();
  LoadAll();
  ASSERT_TRUE(dataset->database_problem().has_value());
  EXPECT_EQ(dataset->database_problem()->reason, "database_locked");
  EXPECT_EQ(Entry("a").status, TableStatus::kReady);
  EXPECT_THAT(Await(dataset->RetryDatabase()), IsOk());  // too soon
  EXPECT_TRUE(dataset->database_problem().has_value());
}

TEST_F(DatasetTest, TakesTheDatabasesObjectsPageByPage) {
  settings.db_file = "some.db";
  jobs.query = [](const worker::JobRequest& request) -> Result<worker::JobResult> {
    DatabaseObjectsOut out;
    const bool first = request.arguments == R"({"offset":0})";
    out.objects.push_back(
        {.schema = "main", .name = first ? "a" : "b", .kind = ObjectKind::kView, .columns = {}});
    out.total = 2;
    if (first) out.next_offset = 1;
    return worker::JobResult{.meta = json::Encode(out)};
  };
  Open();
  LoadAll();
  EXPECT_THAT(catalog.Names(), ElementsAre("a", "b"));
  EXPECT_EQ(Entry("a").kind, "view");
}

TEST_F(DatasetTest, ListsASmallDirectoryOnTheSpot) {
  data.Write("a.csv", "1");
  Open();
  EXPECT_FALSE(dataset->listed());
  dataset->TryListNow();
  EXPECT_TRUE(dataset->listed());
  EXPECT_THAT(catalog.Names(), ElementsAre("a"));
}

TEST_F(DatasetTest, MayGoWhileItsWorkIsUnderWay) {
  data.Write("a.csv", "1");
  Open();
  dataset->Start();
  loop.poll_one();
  dataset.reset();
  loop.restart();
  loop.run();
}

}  // namespace
}  // namespace ducat::analyst
