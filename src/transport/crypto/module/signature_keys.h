#pragma once
// Keys of RS256 and ES256 by OpenSSL: public halves that verify, nothing that signs. See
// crypto_module.h for what may fail.

#include <memory>
#include <string_view>

#include "base/result.h"
#include "transport/crypto/crypto_module.h"

namespace ducat::transport {

[[nodiscard]] Result<std::unique_ptr<SignatureKey>> MakeRsaKey(std::string_view modulus,
                                                               std::string_view exponent);
[[nodiscard]] Result<std::unique_ptr<SignatureKey>> MakeEcKey(std::string_view x,
                                                              std::string_view y);

}  // namespace ducat::transport
