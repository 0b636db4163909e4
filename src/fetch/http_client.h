#pragma once
// HttpClient: GET from an upstream that the operator has configured. No redirect is followed, no
// credential sent. Destroying a client abandons what it fetches, without a call. Control thread
// only; never blocks.

#include <chrono>
#include <functional>
#include <string>

#include "base/result.h"

namespace ducat::fetch {

struct GetRequest {
  std::string url;  // http or https
  std::chrono::milliseconds timeout{5'000};
  size_t bytes_max = size_t{1} << 20U;
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // `done` gets the body of a 200, later, once. Fails with "fetch_failed"; the message is for the
  // log.
  virtual void Get(GetRequest request, std::function<void(const Result<std::string>&)> done) = 0;
};

}  // namespace ducat::fetch
