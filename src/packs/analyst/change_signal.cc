#include "packs/analyst/change_signal.h"

#include <set>
#include <utility>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

namespace ducat::analyst {

struct ChangeSignal::State {
  boost::asio::any_io_executor executor;
  std::set<boost::asio::steady_timer*> waiting;
};

Task<void> ChangeSignal::WaitOn(std::shared_ptr<State> state, MonotonicTime until,
                                CancelToken cancel) {
  if (cancel.cancelled()) co_return Result<void>{};
  boost::asio::steady_timer timer(state->executor, until);
  struct Registration {
    State& owner;
    boost::asio::steady_timer* waiting;
    Registration(State& s, boost::asio::steady_timer* t) : owner(s), waiting(t) {
      owner.waiting.insert(waiting);
    }
    ~Registration() { owner.waiting.erase(waiting); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
  };
  const Registration registration(*state, &timer);
  const CancelToken::Subscription subscription =
      cancel.OnCancel([&timer](CancelCause) { timer.cancel(); });
  boost::system::error_code ignored;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
  co_return Result<void>{};
}

ChangeSignal::ChangeSignal(boost::asio::any_io_executor executor)
    : state_(std::make_shared<State>(State{.executor = std::move(executor), .waiting = {}})) {}
ChangeSignal::~ChangeSignal() = default;

Task<void> ChangeSignal::Wait(MonotonicTime until, CancelToken cancel) {
  return WaitOn(state_, until, std::move(cancel));
}

void ChangeSignal::Notify() {
  for (boost::asio::steady_timer* timer : state_->waiting) {
    timer->cancel();
  }
}

}  // namespace ducat::analyst
