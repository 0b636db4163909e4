#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "examples/files.h"

namespace ducat::examples {
namespace {

constexpr int kArticles2025 = 150;
constexpr int kArticles2026 = 110;

Failure CannotWrite(const std::filesystem::path& path) {
  return Fail(ErrorCode::kPermissionDenied, "not_writable",
              fmt::format("cannot write {}", path.string()));
}

Status WriteText(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) return CannotWrite(path);
  return {};
}

}  // namespace

std::vector<std::filesystem::path> DataSetFiles() {
  return {"articles/2025.csv", "articles/2026.csv", "kiosk_sales.csv",
          "orders.parquet",    "subscribers.csv",   "web_events.jsonl"};
}

Status WriteDataSet(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder / "articles", failed);
  if (failed) return CannotWrite(folder / "articles");

  const std::vector<Subscriber> subscribers = MakeSubscribers();
  std::vector<Article> articles = MakeArticles(2025, kArticles2025);
  const std::vector<Article> newer = MakeArticles(2026, kArticles2026);
  TRY(WriteText(folder / "articles/2025.csv", ArticlesCsv(articles)));
  TRY(WriteText(folder / "articles/2026.csv", ArticlesCsv(newer)));
  articles.insert(articles.end(), newer.begin(), newer.end());
  TRY(WriteText(folder / "kiosk_sales.csv", KioskSalesCsv(MakeKioskSales())));
  TRY(WriteText(folder / "subscribers.csv", SubscribersCsv(subscribers)));
  TRY(WriteText(folder / "web_events.jsonl", WebEventsJsonl(MakeWebEvents(subscribers, articles))));
  return WriteOrdersParquet(MakeOrders(subscribers), folder / "orders.parquet");
}

Result<std::string> ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return Fail(ErrorCode::kNotFound, "not_readable", fmt::format("cannot read {}", path.string()));
  }
  return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

}  // namespace ducat::examples
