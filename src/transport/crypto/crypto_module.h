#pragma once
// CryptoModule: what needs all of OpenSSL: signatures by public key, and TLS. It lies in a shared
// library of its own, loaded when a server is told to use it, for its tables alone cost every start
// 1 ms and 2.5 MiB (ADR 0021). Here is only its face. Owned by the app, which keeps it for as long
// as keys and sessions of it live; any thread may call const functions.

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::transport {

// A key that signatures are checked with.
class SignatureKey {
 public:
  virtual ~SignatureKey() = default;
  [[nodiscard]] virtual bool Verifies(std::string_view text, std::string_view signature) const = 0;
};

// The server's end of one TLS connection, without a socket: bytes of the wire go in and out. Ends
// before its context.
class TlsSession {
 public:
  virtual ~TlsSession() = default;
  // Takes bytes from the client; appends what they say to `plain`, and what must be sent now
  // (handshake, alerts) to `wire`. False: the connection is over.
  [[nodiscard]] virtual bool Receive(std::string_view bytes, std::string& plain,
                                     std::string& wire) = 0;
  // After the handshake. False: the connection is over.
  [[nodiscard]] virtual bool Send(std::string_view plain, std::string& wire) = 0;
  // Says that nothing more will come.
  virtual void Close(std::string& wire) = 0;
  [[nodiscard]] virtual bool handshaken() const = 0;
};

// Certificate and key of a server: TLS 1.2 and 1.3, ALPN http/1.1.
class TlsContext {
 public:
  virtual ~TlsContext() = default;
  [[nodiscard]] virtual std::unique_ptr<TlsSession> Accept() const = 0;
};

class CryptoModule {
 public:
  virtual ~CryptoModule() = default;

  // RS256; both numbers as big-endian bytes. Fails with "invalid_key" below 2,048 bits.
  [[nodiscard]] virtual Result<std::unique_ptr<SignatureKey>> RsaKey(
      std::string_view modulus, std::string_view exponent) const = 0;
  // ES256; 32 bytes each; signatures are r and s, 32 bytes each. Fails with "invalid_key" for what
  // is no point of P-256.
  [[nodiscard]] virtual Result<std::unique_ptr<SignatureKey>> EcKey(std::string_view x,
                                                                    std::string_view y) const = 0;
  // Of PEM texts: the certificate and those between it and its root; its key, without a password.
  // Fails with "invalid_certificate".
  [[nodiscard]] virtual Result<std::shared_ptr<const TlsContext>> ServerTls(
      const std::string& certificates, const std::string& key) const = 0;
};

// ../lib/libducat-crypto.so beside the folder of this executable.
[[nodiscard]] std::string CryptoModulePath();

// Fails with "crypto_unavailable". The library stays loaded until the process ends.
[[nodiscard]] Result<std::unique_ptr<CryptoModule>> LoadCryptoModule(const std::string& path);

// The one function that the library exports; gives up ownership.
inline constexpr const char* kCryptoModuleMaker = "DucatMakeCryptoModule";
using CryptoModuleMaker = CryptoModule* (*)();

}  // namespace ducat::transport
