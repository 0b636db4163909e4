#pragma once
// Wakeup: lets a coroutine wait until somebody on the same thread says that something has changed.
// Set before Wait is not lost. One waiter. Owned by its connection.

#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace ducat::transport {

class Wakeup {
 public:
  explicit Wakeup(const boost::asio::any_io_executor& executor) : timer_(executor) {}

  void Set() {
    set_ = true;
    timer_.cancel();
  }
  boost::asio::awaitable<void> Wait() {
    if (!std::exchange(set_, false)) {
      timer_.expires_at(boost::asio::steady_timer::time_point::max());
      boost::system::error_code ignored;
      co_await timer_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
      set_ = false;
    }
  }

 private:
  boost::asio::steady_timer timer_;
  bool set_ = false;
};

}  // namespace ducat::transport
