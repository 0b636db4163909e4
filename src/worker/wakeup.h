#pragma once
// Wakeup: how a coroutine waits for "something changed, or it is late". One waiter at a time;
// whoever changes something calls Notify, the waiter looks again. Control thread only.

#include <chrono>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace ducat::worker {

class Wakeup {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr Time kNever = Time::max();

  explicit Wakeup(const boost::asio::any_io_executor& executor) : timer_(executor) {}

  // Ends at `limit` or at the next Notify, without saying which; it may also end early.
  [[nodiscard]] boost::asio::awaitable<void> WaitUntil(Time limit) {
    timer_.expires_at(limit);
    co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }
  void Notify() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
};

}  // namespace ducat::worker
