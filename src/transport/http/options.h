#pragma once
// What the HTTP transport is told at its start (protocol.md 1.3, 7). Plain values, filled by the
// app from flags.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "transport/http/limits.h"

namespace ducat::transport {

class HttpObserver;
class JwtVerifier;
class TlsFiles;
class TokenFile;

struct HttpOptions {
  HttpLimits limits;
  std::string path = "/mcp";
  std::string public_url;                    // as users type it; empty: none
  std::vector<std::string> allowed_origins;  // besides loopback
  std::vector<std::string> allowed_hosts;    // besides loopback and the public URL's
  bool stateful = true;                      // legacy sessions
  std::shared_ptr<TokenFile> tokens;         // --auth token
  std::shared_ptr<JwtVerifier> jwt;          // --auth jwt; neither: everybody may call
  std::shared_ptr<TlsFiles> tls;             // null: plain HTTP
  // Why the server cannot serve calls yet: literals of protocol.md 7.5; empty: it can.
  std::function<std::vector<std::string_view>()> not_ready;
  std::function<std::string()> metrics;  // what /metrics gives; empty: there is no such path
  HttpObserver* observer = nullptr;      // outlives the server; null: nobody counts
  std::function<void()> on_reload;       // at SIGHUP, besides our own files
};

}  // namespace ducat::transport
