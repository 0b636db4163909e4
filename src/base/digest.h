#pragma once
// SHA-256 and HMAC-SHA256 (OpenSSL behind it). Pure functions; any thread may call them. They do
// not fail: a library that cannot do SHA-256 aborts the process.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ducat {

using Digest = std::array<uint8_t, 32>;

[[nodiscard]] Digest Sha256(std::string_view bytes);
[[nodiscard]] Digest HmacSha256(std::string_view key, std::string_view bytes);

// Lower-case hexadecimal form.
[[nodiscard]] std::string Hex(const Digest& digest);

// Equality in a time that depends on the lengths alone; for signatures and tokens.
[[nodiscard]] bool EqualInConstantTime(std::string_view a, std::string_view b);

}  // namespace ducat
