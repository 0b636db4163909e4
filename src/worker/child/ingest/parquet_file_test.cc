// Parquet is read in place: its footer tells columns and rows, a broken one is refused with a
// reason.
#include <string>

#include <gmock/gmock.h>

#include "worker/child/ingest/ingest_fixture.h"

namespace ducat::ingest {
namespace {

class ParquetFileTest : public IngestFixture {
 protected:
  std::string Write(const std::string& name, const std::string& select) {
    const std::string path = (data_dir() / name).string();
    auto copied = connection().Run("COPY (" + select + ") TO " + engine::QuoteText(path) +
                                   " (FORMAT parquet)");
    EXPECT_TRUE(copied.has_value());
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(ParquetFileTest, TheFooterIsEnough) {
  Write("t.parquet", "SELECT range AS id, 'x' AS \"odd \"\"name\" FROM range(200000)");
  EXPECT_EQ(Load("t.parquet", SourceFormat::kParquet), "id BIGINT, odd \"name VARCHAR");
  EXPECT_TRUE(table_->in_place);
  EXPECT_EQ(table_->row_count, 200'000);
  EXPECT_EQ(table_->bytes,
            static_cast<int64_t>(std::filesystem::file_size(data_dir() / "t.parquet")));
  EXPECT_FALSE(std::filesystem::exists(private_dir() / "out.tmp"));
  EXPECT_EQ(OneText("SELECT count(*) FROM t"), "200000");
}

TEST_F(ParquetFileTest, NamesAndFoldersAreTakenLiterally) {
  std::filesystem::create_directories(data_dir() / "year=2024");
  Write("year=2024/s*.parquet", "SELECT 1 AS a");
  Write("year=2024/sx.parquet", "SELECT 'other' AS b");
  EXPECT_EQ(Load("year=2024/s*.parquet", SourceFormat::kParquet), "a INTEGER");
  EXPECT_EQ(Values(), "1");
}

// Every way to damage one byte of a footer is read or refused as the file's fault.
TEST_F(ParquetFileTest, DamagedFooters) {
  const std::string whole = Write("t.parquet", "SELECT range AS id, 'x' AS t FROM range(10)");
  for (size_t back = 9; back < 209 && back < whole.size(); back += 3) {
    std::string bytes = whole;
    bytes[bytes.size() - back] = static_cast<char>(bytes[bytes.size() - back] ^ 0x55);
    Put("broken.parquet", bytes);
    auto table = Ingest("broken.parquet", SourceFormat::kParquet);
    if (table.has_value()) continue;
    const bool is_new = table.error().message.find("nsupported") != std::string::npos;
    EXPECT_EQ(table.error().reason, is_new ? "engine_error" : "corrupt") << table.error().message;
  }
}

TEST_F(ParquetFileTest, BrokenFiles) {
  const std::string whole = Write("t.parquet", "SELECT range AS id FROM range(1000)");
  const auto reason = [&](std::string_view bytes) {
    Put("broken.parquet", bytes);
    auto table = Ingest("broken.parquet", SourceFormat::kParquet);
    if (table.has_value()) return std::string("read");
    EXPECT_EQ(table.error().message.find(data_dir().string()), std::string::npos);
    const bool is_empty = bytes.empty();
    EXPECT_TRUE(is_empty || table.error().message.find("broken.parquet") != std::string::npos)
        << table.error().message;
    EXPECT_TRUE(is_empty || !table.error().hint.empty());
    return table.error().reason;
  };
  EXPECT_EQ(reason(""), "empty");
  EXPECT_EQ(reason("PAR1"), "corrupt");
  EXPECT_EQ(reason("this is no Parquet file"), "corrupt");
  EXPECT_EQ(reason(whole.substr(0, whole.size() / 2)), "corrupt");
  std::string footer = whole;
  for (size_t i = footer.size() - 60; i < footer.size() - 8; ++i)
    footer[i] = '\xFF';
  EXPECT_EQ(reason(footer), "corrupt");
  EXPECT_EQ(reason("PAR1" + std::string(100, '\0') + "PAR1"), "corrupt") << "a footer of no bytes";
  EXPECT_EQ(reason("PAR1" + std::string(100, '\xFF') + "PAR1"), "corrupt") << "a huge footer";
  EXPECT_EQ(reason(std::string(200, '\0')), "corrupt");
  EXPECT_EQ(reason("a,b\n1,2\n3,4\n5,6\n"), "corrupt");
  EXPECT_EQ(reason(whole.substr(0, whole.size() - 1)), "corrupt");
  EXPECT_EQ(reason(whole.substr(1)), "corrupt");
  EXPECT_EQ(reason("PARE" + std::string(100, 'x') + "PARE"), "encrypted");
  EXPECT_EQ(reason("PAR1" + std::string(100, 'x') + "PARE"), "encrypted");
  EXPECT_EQ(OneText("SELECT 1"), "1") << "the engine lives";
}

// The footer is whole, and what it points to is not.
TEST_F(ParquetFileTest, PagesThatCannotBeReadAreToldAtLoad) {
  std::string bytes =
      Write("t.parquet", "SELECT range AS id, md5(range::VARCHAR) AS t FROM range(5000)");
  for (size_t i = 4; i < 2'000; ++i) {
    bytes[i] = '\x7F';
  }
  Put("sub/broken.parquet", bytes);
  auto table = Ingest("sub/broken.parquet", SourceFormat::kParquet);
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().reason, "corrupt");
  EXPECT_THAT(table.error().message,
              ::testing::StartsWith("\"sub/broken.parquet\" has pages that cannot be read: "));
}

// The codec of a column is one number of the footer; 5 is one that the engine does not know.
TEST_F(ParquetFileTest, TheEngineSaysWhichCodecItDoesNotKnow) {
  const std::string path = (data_dir() / "t.parquet").string();
  auto copied = connection().Run("COPY (SELECT range AS id FROM range(5000)) TO " +
                                 engine::QuoteText(path) + " (FORMAT parquet, CODEC lz4_raw)");
  ASSERT_TRUE(copied.has_value()) << copied.error().message;
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string name =
      "\x18\x02"
      "id";  // the column's path, then its codec
  const size_t codec = bytes.rfind(name) + name.size();
  ASSERT_EQ(bytes.substr(codec, 2), "\x15\x0E");
  bytes[codec + 1] = '\x0A';
  Put("t.parquet", bytes);
  auto table = Ingest("t.parquet", SourceFormat::kParquet);
  ASSERT_FALSE(table.has_value());
  EXPECT_EQ(table.error().reason, "engine_error");
  EXPECT_THAT(table.error().message, ::testing::HasSubstr("LZ4"));
}

TEST_F(ParquetFileTest, FilesThatSqlCannotNameAreCopied) {
  Write("t.parquet", "SELECT 7 AS a");
  for (const char* name : {"caf\xE9.parquet", "a\\[1].parquet"}) {
    std::filesystem::copy(data_dir() / "t.parquet", data_dir() / name);
    EXPECT_EQ(Load(name, SourceFormat::kParquet), "a INTEGER");
    EXPECT_FALSE(table_->in_place);
    EXPECT_EQ(Values(), "7");
  }
}

}  // namespace
}  // namespace ducat::ingest
