#pragma once
// RunToEnd: a coroutine run by a command for people, on the loop it brings, until it has ended;
// SIGINT, SIGTERM and SIGHUP cancel it. The loop may still hold background work then; it is not run
// further.

#include <csignal>
#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include "base/cancel.h"
#include "base/end_signals.h"
#include "base/task.h"

namespace ducat::app {

template <class T>
struct Ended {
  Result<T> result;
  int signal = 0;  // that cancelled it, else 0
};

template <class T>
[[nodiscard]] Ended<T> RunToEnd(boost::asio::io_context& loop, CancelSource& cancel, Task<T> task) {
  std::optional<Result<T>> result;
  int signal = 0;
  boost::asio::signal_set signals(loop, SIGINT, SIGTERM, SIGHUP);
  signals.async_wait([&](const boost::system::error_code& problem, int number) {
    if (problem) return;
    signal = number;
    cancel.Cancel(CancelCause::kShutdown);
  });
  ReleaseEndSignals();
  boost::asio::co_spawn(loop, std::move(task),
                        [&](const std::exception_ptr& exception, Result<T> ended) {
                          if (exception) ended = Internal("a command ended with an exception");
                          result.emplace(std::move(ended));
                          loop.stop();
                        });
  loop.run();
  signals.cancel();
  if (!result.has_value()) result.emplace(Internal("the event loop ended early"));
  return {.result = std::move(*result), .signal = signal};
}

}  // namespace ducat::app
