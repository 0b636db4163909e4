#include "worker/catalog_parts.h"

#include <string>
#include <utility>

namespace ducat::worker {
namespace {

constexpr size_t kNamesBytes = 64;  // member names, quotes and commas around an entry

size_t SizeOf(const std::string& name) {
  return name.size() + kNamesBytes;
}

size_t SizeOf(const CatalogTable& table) {
  size_t bytes = kNamesBytes + table.name.size() + table.source.size() + table.file.size() +
                 table.db_schema.size() + table.db_name.size();
  for (const CatalogColumn& column : table.columns) {
    bytes += kNamesBytes + column.name.size() + column.type.size() + column.carrier.size();
  }
  return bytes;
}

// Fills parts one entry after the other.
class Parts {
 public:
  Parts(const CatalogDelta& delta, size_t part_bytes) : part_bytes_(part_bytes) {
    parts_.push_back({.from_version = delta.from_version, .version = delta.version});
  }

  template <class T>
  void Add(const std::vector<T>& entries, std::vector<T> CatalogDelta::* list) {
    for (const T& entry : entries) {
      const size_t bytes = SizeOf(entry);
      if (bytes_ > 0 && bytes_ + bytes > part_bytes_) {
        // What follows adds to the version that the first part made.
        const uint64_t version = parts_.front().version;
        parts_.push_back({.from_version = version, .version = version});
        bytes_ = 0;
      }
      bytes_ += bytes;
      (parts_.back().*list).push_back(entry);
    }
  }
  [[nodiscard]] std::vector<CatalogDelta> Take() { return std::move(parts_); }

 private:
  size_t part_bytes_;
  size_t bytes_ = 0;
  std::vector<CatalogDelta> parts_;
};

}  // namespace

std::vector<CatalogDelta> SplitDelta(const CatalogDelta& delta, size_t part_bytes) {
  Parts parts(delta, part_bytes);
  // Removals first: a name that is removed and added again must end up there.
  parts.Add(delta.removed, &CatalogDelta::removed);
  parts.Add(delta.removed_files, &CatalogDelta::removed_files);
  parts.Add(delta.tables, &CatalogDelta::tables);
  parts.Add(delta.files, &CatalogDelta::files);
  parts.Add(delta.outside_files, &CatalogDelta::outside_files);
  return parts.Take();
}

}  // namespace ducat::worker
