#include "transport/http/tls_files.h"

#include <utility>

namespace ducat::transport {

TlsFiles::TlsFiles(std::string certificate_path, std::string key_path,
                   std::shared_ptr<const CryptoModule> module)
    : certificates_("TLS certificate", "invalid_certificate", std::move(certificate_path)),
      key_("TLS key", "invalid_certificate", std::move(key_path)),
      module_(std::move(module)) {}

Result<std::shared_ptr<TlsFiles>> TlsFiles::Open(std::string certificate_path, std::string key_path,
                                                 std::shared_ptr<const CryptoModule> module) {
  auto files = std::make_shared<TlsFiles>(std::move(certificate_path), std::move(key_path),
                                          std::move(module));
  TRY(files->Reload(true));
  return files;
}

Result<bool> TlsFiles::Reload(bool in_any_case) {
  TRY_ASSIGN(std::optional<std::string> certificates, certificates_.Read(in_any_case));
  TRY_ASSIGN(std::optional<std::string> key, key_.Read(in_any_case || certificates.has_value()));
  if (!certificates && !key) return false;
  if (!certificates) {
    TRY_ASSIGN(certificates, certificates_.Read(true));
  }
  TRY_ASSIGN(context_, module_->ServerTls(*certificates, *key));
  return true;
}

}  // namespace ducat::transport
