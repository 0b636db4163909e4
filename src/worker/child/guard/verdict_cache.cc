#include "worker/child/guard/verdict_cache.h"

#include <utility>

#include <xxhash.h>

namespace ducat::guard {
namespace {

size_t BytesOf(const Verdict& verdict) {
  size_t bytes = verdict.sql.size() + verdict.final_sql.size() + verdict.message.size() +
                 verdict.hint.size() + verdict.suggestion.size() +
                 verdict.edits.size() * sizeof(Verdict::Edit);
  for (const std::string& file : verdict.files) {
    bytes += file.size() + sizeof(std::string);
  }
  return bytes;
}

}  // namespace

uint64_t VerdictCache::HashOf(const Key& key) {
  uint64_t hash = XXH3_64bits_withSeed(key.sql.data(), key.sql.size(), key.catalog_version);
  hash = XXH3_64bits_withSeed(key.parameters.data(), key.parameters.size(), hash);
  return hash ^ key.row_limit;
}

bool VerdictCache::Matches(const Slot& slot, const Key& key) {
  return slot.catalog_version == key.catalog_version && slot.row_limit == key.row_limit &&
         slot.sql == key.sql && slot.parameters == key.parameters;
}

VerdictCache::Entry* VerdictCache::Find(const Key& key) {
  const auto [first, last] = by_hash_.equal_range(HashOf(key));
  for (auto at = first; at != last; ++at) {
    if (!Matches(*at->second, key)) continue;
    slots_.splice(slots_.begin(), slots_, at->second);
    return &at->second->entry;
  }
  return nullptr;
}

void VerdictCache::DropOldest() {
  const auto oldest = std::prev(slots_.end());
  const auto [first, last] = by_hash_.equal_range(oldest->hash);
  for (auto at = first; at != last; ++at) {
    if (at->second != oldest) continue;
    by_hash_.erase(at);
    break;
  }
  bytes_ -= oldest->bytes;
  slots_.erase(oldest);
}

void VerdictCache::Put(const Key& key, Entry entry) {
  const size_t bytes =
      key.sql.size() + key.parameters.size() + BytesOf(entry.judgement.verdict) + sizeof(Slot);
  if (bytes > kCacheBytesMax / 8) return;
  const uint64_t hash = HashOf(key);
  slots_.push_front({.hash = hash,
                     .sql = std::string(key.sql),
                     .parameters = key.parameters,
                     .catalog_version = key.catalog_version,
                     .row_limit = key.row_limit,
                     .bytes = bytes,
                     .entry = std::move(entry)});
  by_hash_.emplace(hash, slots_.begin());
  bytes_ += bytes;
  while (slots_.size() > kCacheEntriesMax || bytes_ > kCacheBytesMax) {
    DropOldest();
  }
}

std::string ParameterShape(const engine::NamedParameters* parameters) {
  std::string shape;
  if (parameters == nullptr) return shape;
  for (const auto& [name, value] : *parameters) {
    shape += name;
    shape += '\0';
    shape += static_cast<char>('0' + static_cast<int>(value.kind));
  }
  return shape;
}

}  // namespace ducat::guard
