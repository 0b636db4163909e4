#include "packs/analyst/database_objects.h"

#include <iterator>
#include <utility>

#include "json/decode.h"
#include "json/encode.h"
#include "json/view.h"

namespace ducat::analyst {
namespace {

constexpr size_t kObjectsMax = 100'000;

Result<DatabaseObjectsOut> DecodePage(const std::string& meta) {
  json::Document document;
  TRY_ASSIGN(const json::View root, document.Parse(meta));
  return json::Decode<DatabaseObjectsOut>(root);
}

}  // namespace

Task<std::vector<DatabaseObject>> ReadDatabaseObjects(JobRunner& jobs,
                                                      std::chrono::milliseconds timeout) {
  std::vector<DatabaseObject> objects;
  std::optional<int64_t> offset = 0;
  while (offset.has_value() && objects.size() < kObjectsMax) {
    const DatabaseObjectsIn arguments{.offset = *offset};
    worker::JobRequest request;
    request.name = "database_objects";
    request.arguments = json::Encode(arguments);
    request.timeout = timeout;
    request.session = "database";
    CO_TRY_ASSIGN(const worker::JobResult result,
                  co_await jobs.Query(std::move(request), CancelToken{}, worker::JobProgress{}));
    CO_TRY_ASSIGN(DatabaseObjectsOut page, DecodePage(result.meta));
    if (page.objects.empty() && page.next_offset.has_value()) {
      co_return Internal("database_objects: an empty page is not the last");
    }
    offset = page.next_offset;
    std::move(page.objects.begin(), page.objects.end(), std::back_inserter(objects));
  }
  co_return objects;
}

}  // namespace ducat::analyst
