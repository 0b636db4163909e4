#pragma once
// Who is told what the HTTP transport does, for the metrics (protocol.md 15). Owned by the app,
// outlives the server; control thread only. All texts are literals of small sets.

#include <string_view>

namespace ducat::transport {

class HttpObserver {
 public:
  virtual ~HttpObserver() = default;
  // `route`: "mcp", "healthz", …; "none" for what is no path of ours.
  virtual void Responded(std::string_view route, int status) = 0;
  // `kind`: of the HeadFault.
  virtual void ParseFailed(std::string_view kind) = 0;
  // `mode`: "token" or "jwt". `outcome`: "ok", "missing", "invalid", "limited", "unavailable".
  virtual void Authenticated(std::string_view mode, std::string_view outcome) = 0;
  virtual void RateLimited() = 0;
  // `what`: "tokens", "keys" or "tls": a file of ours that was broken when it was read again.
  virtual void ReloadFailed(std::string_view what) = 0;
};

}  // namespace ducat::transport
