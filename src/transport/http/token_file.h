#pragma once
// TokenFile: who may call, as lines of hashed bearer tokens (protocol.md 8.1, mode token). A broken
// or careless file never replaces a good one. Owned by the app, shared with the HTTP server;
// control thread only. Reading the file blocks, for a few lines, once after each change.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/result.h"
#include "mcp/session.h"
#include "transport/http/watched_file.h"

namespace ducat::transport {

struct TokenEntry {
  Digest digest{};
  mcp::Caller caller;
  std::vector<std::string> scopes;
  std::optional<WallTime> expires;
};

// "sha256:<64 hex> principal=alice tenant=t1 scopes=a,b expires=2027-01-01T00:00:00Z", "#"
// comments. Fails with "invalid_token_file"; the message has the line's number and nothing of a
// token.
[[nodiscard]] Result<std::vector<TokenEntry>> ParseTokens(std::string_view text);

// A new token: "dct_" and 256 random bits.
[[nodiscard]] std::string NewToken();
// Its line for the file. Fails with "invalid_setting" for names that no line can hold.
[[nodiscard]] Result<std::string> TokenLine(std::string_view token, const TokenEntry& entry);

class TokenFile {
 public:
  // Fails with "invalid_token_file", also when others than the owner may write the file.
  [[nodiscard]] static Result<TokenFile> Open(std::string path);

  // Reads the file again if it has changed, or in any case. True: it was read. An error keeps what
  // was there; it is told once per change.
  [[nodiscard]] Result<bool> Reload(bool in_any_case);
  // Whose token it is; takes the same steps whatever is wrong with it.
  [[nodiscard]] std::optional<mcp::Caller> Find(std::string_view token, WallTime now) const;
  [[nodiscard]] size_t size() const { return entries_.size(); }

 private:
  explicit TokenFile(std::string path)
      : file_("Token file", "invalid_token_file", std::move(path)) {}

  WatchedFile file_;
  std::vector<TokenEntry> entries_;
};

}  // namespace ducat::transport
