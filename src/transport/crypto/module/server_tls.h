#pragma once
// The server's TLS by OpenSSL, without sockets. See crypto_module.h for what may fail and who owns
// what.

#include <memory>
#include <string>

#include "base/result.h"
#include "transport/crypto/crypto_module.h"

namespace ducat::transport {

[[nodiscard]] Result<std::shared_ptr<const TlsContext>> MakeServerTls(
    const std::string& certificates, const std::string& key);

}  // namespace ducat::transport
