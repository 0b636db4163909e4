#pragma once
// The last judgements by statement (guard.md 6.1, stage 9): same text, parameters and catalog, same
// verdict. A hit costs one hash and one compare. Least recently used ones go first. Job thread.

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "worker/child/guard/judge.h"

namespace ducat::guard {

inline constexpr size_t kCacheEntriesMax = 4'096;
inline constexpr size_t kCacheBytesMax = size_t{32} << 20;

class VerdictCache {
 public:
  struct Key {
    std::string_view sql;
    std::string parameters;  // names and types
    uint64_t catalog_version = 0;
    uint64_t row_limit = 0;
  };
  struct Entry {
    Judgement judgement;
    bool plan_checked = false;
  };

  // Null when there is none; valid until the next Put.
  [[nodiscard]] Entry* Find(const Key& key);
  void Put(const Key& key, Entry entry);
  [[nodiscard]] size_t size() const { return slots_.size(); }

 private:
  struct Slot {
    uint64_t hash = 0;
    std::string sql, parameters;
    uint64_t catalog_version = 0, row_limit = 0;
    size_t bytes = 0;
    Entry entry;
  };
  using Slots = std::list<Slot>;

  static uint64_t HashOf(const Key& key);
  static bool Matches(const Slot& slot, const Key& key);
  void DropOldest();

  Slots slots_;  // newest first
  std::unordered_multimap<uint64_t, Slots::iterator> by_hash_;
  size_t bytes_ = 0;
};

// Names and types of parameters, in their order: values do not change a verdict.
[[nodiscard]] std::string ParameterShape(const engine::NamedParameters* parameters);

}  // namespace ducat::guard
