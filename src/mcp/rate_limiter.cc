#include "mcp/rate_limiter.h"

#include <algorithm>
#include <cmath>

namespace ducat::mcp {

double RateLimiter::LevelOf(const Bucket& bucket, MonotonicTime now) const {
  const double passed = std::chrono::duration<double>(now - bucket.at).count();
  return std::min(limit_.burst, bucket.level + passed * limit_.per_second);
}

void RateLimiter::ForgetFullOnes(MonotonicTime now) {
  std::erase_if(buckets_, [this, now](const auto& entry) {
    return LevelOf(entry.second, now) >= limit_.burst;
  });
  sweep_at_ = std::max<size_t>(1'024, 2 * buckets_.size());
}

std::optional<int64_t> RateLimiter::Take(std::string_view principal, MonotonicTime now) {
  if (limit_.per_second <= 0) return std::nullopt;
  auto found = buckets_.find(principal);
  if (found == buckets_.end()) {
    if (buckets_.size() >= sweep_at_) ForgetFullOnes(now);
    found = buckets_.emplace(principal, Bucket{.level = limit_.burst, .at = now}).first;
  }
  Bucket& bucket = found->second;
  bucket.level = LevelOf(bucket, now);
  bucket.at = now;
  if (bucket.level >= 1) {
    bucket.level -= 1;
    return std::nullopt;
  }
  return static_cast<int64_t>(std::ceil((1 - bucket.level) / limit_.per_second));
}

}  // namespace ducat::mcp
