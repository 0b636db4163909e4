#pragma once
// CurlClient: HttpClient by libcurl, driven by the event loop: curl says which sockets and times it
// waits for, the loop tells it when they come. The library is opened at the first Get. Proxies of
// the environment are used, but never towards loopback. Control thread only.

#include <memory>

#include <boost/asio/io_context.hpp>

#include "fetch/http_client.h"

namespace ducat::fetch {

class CurlClient final : public HttpClient {
 public:
  explicit CurlClient(boost::asio::io_context& loop);
  ~CurlClient() override;
  CurlClient(const CurlClient&) = delete;
  CurlClient& operator=(const CurlClient&) = delete;

  void Get(GetRequest request, std::function<void(const Result<std::string>&)> done) override;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;  // shared with pending waits, which touch it no more once closed
};

}  // namespace ducat::fetch
