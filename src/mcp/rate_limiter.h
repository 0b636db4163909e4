#pragma once
// RateLimiter: a token bucket for each principal (protocol.md 9). Owned by the server; control
// thread only. Time is the monotonic clock's.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace ducat::mcp {

struct RateLimit {
  double per_second = 0;  // 0: no limit
  double burst = 0;
};

class RateLimiter {
 public:
  explicit RateLimiter(RateLimit limit) : limit_(limit) {}

  // Takes one; nothing: it was there. Else after how many whole seconds there will be one.
  [[nodiscard]] std::optional<int64_t> Take(std::string_view principal, MonotonicTime now);
  [[nodiscard]] size_t size() const { return buckets_.size(); }

 private:
  struct Bucket {
    double level = 0;
    MonotonicTime at;
  };
  [[nodiscard]] double LevelOf(const Bucket& bucket, MonotonicTime now) const;
  void ForgetFullOnes(MonotonicTime now);

  RateLimit limit_;
  std::map<std::string, Bucket, std::less<>> buckets_;
  size_t sweep_at_ = 1'024;  // a full bucket is as good as none
};

}  // namespace ducat::mcp
