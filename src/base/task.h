#pragma once
// Task<T>: the one coroutine type of the control plane. A task runs on the control process's only
// thread and io_context; it is lazy, is awaited once, and gives a Result<T>. Parameters of a
// coroutine are taken by value; no aggregate temporary inside a co_await expression
// (docs/adr/0012).

#include <boost/asio/awaitable.hpp>

#include "base/result.h"

namespace ducat {

template <class T>
using Task = boost::asio::awaitable<Result<T>>;

}  // namespace ducat
