#pragma once
// Authenticator: who sends a request, or why that is not known (protocol.md 8.2). One per HTTP
// server; control thread only. Nothing of a token is kept, logged or repeated.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tl/expected.hpp>

#include "base/clock.h"
#include "mcp/session.h"
#include "transport/http/gate.h"
#include "transport/http/request_head.h"
#include "transport/http/token_file.h"

namespace ducat::transport {

class Authenticator {
 public:
  // Null: everybody is "anonymous".
  explicit Authenticator(std::shared_ptr<TokenFile> tokens) : tokens_(std::move(tokens)) {}

  [[nodiscard]] bool required() const { return tokens_ != nullptr; }
  // `address` is the client's, for counting failures.
  [[nodiscard]] tl::expected<mcp::Caller, Refusal> Check(const RequestHead& head,
                                                         std::string_view address,
                                                         MonotonicTime now, WallTime wall);

 private:
  struct Failures {
    uint32_t count = 0;
    MonotonicTime since;
  };
  [[nodiscard]] bool MayTry(std::string_view address, MonotonicTime now);
  [[nodiscard]] Refusal Unauthorized(std::string_view address, bool presented, MonotonicTime now);

  std::shared_ptr<TokenFile> tokens_;
  std::unordered_map<std::string, Failures> failures_;
};

}  // namespace ducat::transport
