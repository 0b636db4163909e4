#pragma once
// Pause: how a fixture takes its time without blocking the loop. Ends early when its call is
// cancelled. Control thread only.

#include <chrono>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/cancel.h"

namespace ducat::conformance {

inline boost::asio::awaitable<void> Pause(boost::asio::io_context& loop,
                                          std::chrono::milliseconds time, CancelToken cancel) {
  boost::asio::steady_timer timer(loop, time);
  const auto subscription = cancel.OnCancel([&](CancelCause) { timer.cancel(); });
  boost::system::error_code ignored;
  co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
}

}  // namespace ducat::conformance
