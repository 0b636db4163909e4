#pragma once
// Quarantine: remembers statements (or files) that cost a worker, and refuses one that cost two
// within ten minutes for the next ten (guard.md 3.3). Bounded: the oldest entry is forgotten first.
// Control thread.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "base/clock.h"

namespace ducat::worker {

class Quarantine {
 public:
  static constexpr std::chrono::minutes kWindow{10};
  static constexpr size_t kEntriesMax = 4'096;

  explicit Quarantine(const Clock& clock) : clock_(clock) {}

  // Time until the statement may run again; nothing when it may run now.
  [[nodiscard]] std::optional<std::chrono::seconds> TimeLeft(std::string_view statement) const;
  void RecordKill(std::string_view statement);

 private:
  struct Entry {
    MonotonicTime last_kill;
    MonotonicTime refused_until;
  };
  void ForgetOldest();

  const Clock& clock_;
  std::map<uint64_t, Entry> entries_;  // by the hash of the statement
};

}  // namespace ducat::worker
