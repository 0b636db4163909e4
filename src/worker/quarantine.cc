#include "worker/quarantine.h"

#include <algorithm>
#include <functional>

namespace ducat::worker {

std::optional<std::chrono::seconds> Quarantine::TimeLeft(std::string_view statement) const {
  if (statement.empty()) return std::nullopt;
  const auto found = entries_.find(std::hash<std::string_view>{}(statement));
  if (found == entries_.end()) return std::nullopt;
  const Duration left = found->second.refused_until - clock_.Now();
  if (left <= Duration::zero()) return std::nullopt;
  return std::chrono::ceil<std::chrono::seconds>(left);
}

void Quarantine::RecordKill(std::string_view statement) {
  if (statement.empty()) return;
  const MonotonicTime now = clock_.Now();
  const auto [entry, first] = entries_.try_emplace(std::hash<std::string_view>{}(statement),
                                                   Entry{.last_kill = now, .refused_until = now});
  if (!first) {
    if (now - entry->second.last_kill < kWindow) entry->second.refused_until = now + kWindow;
    entry->second.last_kill = now;
  }
  if (entries_.size() > kEntriesMax) ForgetOldest();
}

void Quarantine::ForgetOldest() {
  const auto oldest = std::min_element(
      entries_.begin(), entries_.end(),
      [](const auto& a, const auto& b) { return a.second.last_kill < b.second.last_kill; });
  entries_.erase(oldest);
}

}  // namespace ducat::worker
