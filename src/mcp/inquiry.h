#pragma once
// Inquiry: what one request asks its client, and what it was told. Made when a request may ask, or
// came with answers; owned by the request. Control thread only.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "mcp/client_input.h"
#include "mcp/timer_queue.h"

namespace ducat::mcp {

struct OpenQuestion {
  Question question;
  // What the client answers to: a key of inputRequests, or the raw id of a legacy request.
  std::string name;
  TimerQueue::Entry patience;  // legacy: until when an answer is awaited
};

struct Inquiry {
  explicit Inquiry(const boost::asio::any_io_executor& executor) : changed(executor) {}

  std::string params_digest;  // modern: what a requestState is bound to
  bool is_retry = false;      // the request came with answers or with a requestState
  int64_t round = 0;          // that its requestState vouches for; 0: none came
  std::map<std::string, std::string, std::less<>> given;  // inputResponses as they came
  std::map<std::string, std::string, std::less<>> told;   // answers that fit, by key
  std::vector<OpenQuestion> open;
  std::set<std::string, std::less<>> names;  // of a task: all that its questions ever had
  std::string failure;                       // why no answer will come
  boost::asio::steady_timer changed;         // cancelled when an answer has come
};

}  // namespace ducat::mcp
