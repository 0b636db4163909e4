#pragma once
// CancelToken: tells running work that its result is no longer wanted. One request owns the source;
// whatever waits (a worker job, a fetch) subscribes and is called once, on the control thread.
// Not thread-safe: control plane only.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace ducat {

// Why the work ends early; decides the reason the client reads (nothing at all when it asked
// itself).
enum class CancelCause : uint8_t { kNone, kClient, kDeadline, kShutdown };

class CancelToken;

// The requesting side. Cancel() calls every subscriber once, then later subscribers at once.
class CancelSource {
 public:
  CancelSource();
  void Cancel(CancelCause cause);
  [[nodiscard]] CancelToken token() const;
  [[nodiscard]] bool cancelled() const;

 private:
  friend class CancelToken;
  struct State;
  std::shared_ptr<State> state_;
};

// The working side, cheap to copy. A default-constructed token is never cancelled.
class CancelToken {
 public:
  CancelToken() = default;
  [[nodiscard]] CancelCause cause() const;
  [[nodiscard]] bool cancelled() const { return cause() != CancelCause::kNone; }

  // Calls `callback` when cancelled (at once if that has happened). The subscription ends with the
  // returned handle, which may outlive the source.
  class Subscription {
   public:
    Subscription() = default;
    Subscription(Subscription&& other) noexcept;
    Subscription& operator=(Subscription&& other) noexcept;
    Subscription(const Subscription&) = delete;
    Subscription& operator=(const Subscription&) = delete;
    ~Subscription();

   private:
    friend class CancelToken;
    std::weak_ptr<CancelSource::State> state_;
    uint64_t id_ = 0;
  };
  [[nodiscard]] Subscription OnCancel(std::function<void(CancelCause)> callback) const;

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<CancelSource::State> state) : state_(std::move(state)) {}
  std::shared_ptr<CancelSource::State> state_;
};

}  // namespace ducat
