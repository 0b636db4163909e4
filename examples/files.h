#pragma once
// The example data as bytes of files: CSV and JSONL are written here, by hand, so that their bytes
// depend on nothing; Parquet is written by the pinned engine with one thread. Stateless functions.

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "examples/publisher.h"

namespace ducat::examples {

[[nodiscard]] std::string ArticlesCsv(const std::vector<Article>& articles);
[[nodiscard]] std::string SubscribersCsv(const std::vector<Subscriber>& subscribers);
[[nodiscard]] std::string WebEventsJsonl(const std::vector<WebEvent>& events);

// Semicolons, decimal commas, Windows-1252 bytes, and a line at the end that is no record.
[[nodiscard]] std::string KioskSalesCsv(const std::vector<KioskSale>& sales);

// Fails with reason engine_error when the engine cannot write `path`.
[[nodiscard]] Status WriteOrdersParquet(const std::vector<Order>& orders,
                                        const std::filesystem::path& path);

// The whole data set below `folder`, which is created when it is missing.
[[nodiscard]] Status WriteDataSet(const std::filesystem::path& folder);

// The paths of WriteDataSet, relative to its folder.
[[nodiscard]] std::vector<std::filesystem::path> DataSetFiles();

[[nodiscard]] Result<std::string> ReadWholeFile(const std::filesystem::path& path);

}  // namespace ducat::examples
