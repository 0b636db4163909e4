#pragma once
// TrustedNames: which Host and Origin headers are let in (protocol.md 7.3, stages 4 and 5): what
// keeps a web page from talking to a server on loopback, also by a name that it makes resolve to
// 127.0.0.1. Built once from the options; pure.

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "transport/http/options.h"

namespace ducat::transport {

class TrustedNames {
 public:
  explicit TrustedNames(const HttpOptions& options);

  [[nodiscard]] bool AllowsHost(std::string_view host) const;
  [[nodiscard]] bool AllowsOrigin(std::string_view origin) const;

 private:
  std::vector<std::string> hosts_;    // lower case; with a port only that port
  std::vector<std::string> origins_;  // lower case
};

// "localhost:80" -> "localhost", "[::1]:80" -> "[::1]"; empty for what is no host with an optional
// port.
[[nodiscard]] std::string_view HostWithoutPort(std::string_view host);
// What stands between "//" and the next "/" of a URL; empty without one.
[[nodiscard]] std::string_view AuthorityOf(std::string_view url);
[[nodiscard]] bool IsLoopbackName(std::string_view host_without_port);

}  // namespace ducat::transport
