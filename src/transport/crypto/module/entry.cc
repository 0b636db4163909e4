// The door of libducat-crypto.so.
#include <utility>

#include "transport/crypto/crypto_module.h"
#include "transport/crypto/module/server_tls.h"
#include "transport/crypto/module/signature_keys.h"

namespace ducat::transport {
namespace {

class OpensslModule final : public CryptoModule {
 public:
  [[nodiscard]] Result<std::unique_ptr<SignatureKey>> RsaKey(
      std::string_view modulus, std::string_view exponent) const override {
    return MakeRsaKey(modulus, exponent);
  }
  [[nodiscard]] Result<std::unique_ptr<SignatureKey>> EcKey(std::string_view x,
                                                            std::string_view y) const override {
    return MakeEcKey(x, y);
  }
  [[nodiscard]] Result<std::shared_ptr<const TlsContext>> ServerTls(
      const std::string& certificates, const std::string& key) const override {
    return MakeServerTls(certificates, key);
  }
};

}  // namespace
}  // namespace ducat::transport

// Named by kCryptoModuleMaker; the only visible symbol.
extern "C" [[gnu::visibility("default")]] ducat::transport::CryptoModule* DucatMakeCryptoModule();

ducat::transport::CryptoModule* DucatMakeCryptoModule() {
  return std::make_unique<ducat::transport::OpensslModule>().release();
}
