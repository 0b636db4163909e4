#pragma once
// RequestStateCodec: what an input_required answer asks the client to carry to the next round
// (protocol.md 12): `v1.` base64url(payload) `.` base64url(HMAC-SHA256). The payload says whose
// call it belongs to and what the client has been told so far, so the server remembers nothing.
// Signed, not secret. Owned by the server; control thread only.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ducat::mcp {

struct RequestState {
  std::string principal;
  std::string method;
  std::string params_digest;  // hexadecimal SHA-256 of the canonical params
  int64_t expires_s = 0;      // since 1970
  int64_t round = 0;          // of input_required answers so far
  std::map<std::string, std::string, std::less<>> told;  // the client's answers: key, JSON object
};

class RequestStateCodec {
 public:
  // Replicas that serve one client share a key; an empty one is drawn when first needed.
  explicit RequestStateCodec(std::string key) : key_(std::move(key)) {}

  [[nodiscard]] std::string Encode(const RequestState& state);
  // Nothing for what was not signed with this key. Expiry and owner are the caller's to judge.
  [[nodiscard]] std::optional<RequestState> Decode(std::string_view text);

 private:
  [[nodiscard]] std::string Sign(std::string_view payload);
  std::string key_;
};

}  // namespace ducat::mcp
