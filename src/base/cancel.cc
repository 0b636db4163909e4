#include "base/cancel.h"

#include <utility>

namespace ducat {

struct CancelSource::State {
  CancelCause cause = CancelCause::kNone;
  uint64_t next_id = 1;
  std::map<uint64_t, std::function<void(CancelCause)>> subscribers;
};

CancelSource::CancelSource() : state_(std::make_shared<State>()) {}

void CancelSource::Cancel(CancelCause cause) {
  if (state_->cause != CancelCause::kNone) return;
  state_->cause = cause;
  // A callback may end other subscriptions, so each is taken out before it is called.
  const std::shared_ptr<State> state = state_;
  while (!state->subscribers.empty()) {
    auto node = state->subscribers.extract(state->subscribers.begin());
    node.mapped()(cause);
  }
}

CancelToken CancelSource::token() const {
  return CancelToken(state_);
}
bool CancelSource::cancelled() const {
  return state_->cause != CancelCause::kNone;
}

CancelCause CancelToken::cause() const {
  return state_ ? state_->cause : CancelCause::kNone;
}

CancelToken::Subscription CancelToken::OnCancel(std::function<void(CancelCause)> callback) const {
  Subscription subscription;
  if (!state_) return subscription;
  if (state_->cause != CancelCause::kNone) {
    callback(state_->cause);
    return subscription;
  }
  subscription.state_ = state_;
  subscription.id_ = state_->next_id++;
  state_->subscribers.emplace(subscription.id_, std::move(callback));
  return subscription;
}

CancelToken::Subscription::Subscription(Subscription&& other) noexcept
    : state_(std::move(other.state_)), id_(std::exchange(other.id_, 0)) {}

CancelToken::Subscription& CancelToken::Subscription::operator=(Subscription&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(id_, other.id_);
  return *this;
}

CancelToken::Subscription::~Subscription() {
  if (const auto state = state_.lock()) state->subscribers.erase(id_);
}

}  // namespace ducat
