#pragma once
// Authenticator: who sends a request, or why that is not known (protocol.md 8.2). One per HTTP
// server; control thread only. Nothing of a token is kept, logged or repeated.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tl/expected.hpp>

#include "base/clock.h"
#include "mcp/server.h"
#include "mcp/session.h"
#include "transport/http/gate.h"
#include "transport/http/options.h"
#include "transport/http/request_head.h"

namespace ducat::transport {

class Authenticator {
 public:
  // Both outlive it. With neither tokens nor JWT everybody is "anonymous".
  Authenticator(const HttpOptions& options, const mcp::Server& server)
      : options_(options), server_(server) {}

  [[nodiscard]] bool required() const { return options_.tokens || options_.jwt; }
  // Whether Check should wait for keys of the issuer that are being fetched: then `done` is called
  // once, later.
  [[nodiscard]] bool AwaitKeys(const RequestHead& head, std::string_view address, MonotonicTime now,
                               std::function<void()> done);
  // `address` is the client's, for counting failures.
  [[nodiscard]] tl::expected<mcp::Caller, Refusal> Check(const RequestHead& head,
                                                         std::string_view address,
                                                         MonotonicTime now, WallTime wall);
  // Whether the request that is being answered would be let in now: streams outlive tokens.
  [[nodiscard]] bool IsStillGood(const RequestHead& head, MonotonicTime now, WallTime wall) const;

 private:
  struct Failures {
    uint32_t count = 0;
    MonotonicTime since;
  };
  [[nodiscard]] tl::expected<mcp::Caller, Refusal> Judge(const RequestHead& head,
                                                         std::string_view address,
                                                         MonotonicTime now, WallTime wall);
  [[nodiscard]] bool MayTry(std::string_view address, MonotonicTime now);
  [[nodiscard]] std::optional<mcp::Caller> Find(std::string_view token, MonotonicTime now,
                                                WallTime wall) const;
  [[nodiscard]] Refusal Unauthorized(const RequestHead& head, bool presented) const;
  void CountFailure(std::string_view address, MonotonicTime now);

  const HttpOptions& options_;
  const mcp::Server& server_;  // knows what its tools need
  std::unordered_map<std::string, Failures> failures_;
};

}  // namespace ducat::transport
