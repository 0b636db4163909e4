#include "support/tls_client.h"

#include <array>

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "base/result.h"

namespace ducat::testing {
namespace {

template <class Writer>
std::string ToPem(Writer write) {
  BIO* memory = BIO_new(BIO_s_mem());
  CHECK(write(memory) == 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  std::string pem(bytes, static_cast<size_t>(size));
  BIO_free(memory);
  return pem;
}

}  // namespace

TestCertificate MakeCertificate(const std::string& common_name) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* x509 = X509_new();
  CHECK(key != nullptr && x509 != nullptr);
  ASN1_INTEGER_set(X509_get_serialNumber(x509), 1);
  X509_gmtime_adj(X509_getm_notBefore(x509), -3'600);
  X509_gmtime_adj(X509_getm_notAfter(x509), 3'600);
  X509_set_pubkey(x509, key);
  X509_NAME* name = X509_get_subject_name(x509);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(common_name.c_str()), -1, -1,
                             0);
  X509_set_issuer_name(x509, name);
  CHECK(X509_sign(x509, key, EVP_sha256()) > 0);
  TestCertificate out{
      .certificate = ToPem([x509](BIO* to) { return PEM_write_bio_X509(to, x509); }),
      .key = ToPem([key](BIO* to) {
        return PEM_write_bio_PrivateKey(to, key, nullptr, nullptr, 0, nullptr, nullptr);
      })};
  X509_free(x509);
  EVP_PKEY_free(key);
  return out;
}

struct TlsClient::Impl {
  SSL_CTX* context = nullptr;
  SSL* ssl = nullptr;
};

TlsClient::TlsClient(const Options& options) : impl_(std::make_unique<Impl>()) {
  impl_->context = SSL_CTX_new(TLS_client_method());
  if (options.version != 0) {
    SSL_CTX_set_min_proto_version(impl_->context, options.version);
    SSL_CTX_set_max_proto_version(impl_->context, options.version);
    SSL_CTX_set_security_level(impl_->context, 0);
  }
  impl_->ssl = SSL_new(impl_->context);
  if (!options.alpn.empty()) {
    SSL_set_alpn_protos(impl_->ssl, reinterpret_cast<const unsigned char*>(options.alpn.data()),
                        static_cast<unsigned>(options.alpn.size()));
  }
  SSL_set_bio(impl_->ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
  SSL_set_connect_state(impl_->ssl);
  Shake();
}

TlsClient::~TlsClient() {
  SSL_free(impl_->ssl);
  SSL_CTX_free(impl_->context);
}

bool TlsClient::Shake() {
  if (SSL_is_init_finished(impl_->ssl) == 1) return true;
  const int result = SSL_do_handshake(impl_->ssl);
  if (result == 1) return true;
  failed_ = failed_ || SSL_get_error(impl_->ssl, result) != SSL_ERROR_WANT_READ;
  return false;
}

std::string TlsClient::TakeOutput() {
  std::string out(BIO_ctrl_pending(SSL_get_wbio(impl_->ssl)), '\0');
  if (!out.empty()) {
    BIO_read(SSL_get_wbio(impl_->ssl), out.data(), static_cast<int>(out.size()));
  }
  return out;
}

void TlsClient::Write(std::string_view plain) {
  CHECK(SSL_write(impl_->ssl, plain.data(), static_cast<int>(plain.size())) > 0);
}

void TlsClient::CloseWriting() {
  SSL_shutdown(impl_->ssl);
}

std::string TlsClient::Receive(std::string_view wire) {
  if (!wire.empty()) {
    BIO_write(SSL_get_rbio(impl_->ssl), wire.data(), static_cast<int>(wire.size()));
  }
  std::string plain;
  if (!Shake()) return plain;
  std::array<char, 16'384> part{};
  int got = 0;
  while ((got = SSL_read(impl_->ssl, part.data(), part.size())) > 0) {
    plain.append(part.data(), static_cast<size_t>(got));
  }
  const int error = SSL_get_error(impl_->ssl, got);
  failed_ = failed_ || (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_ZERO_RETURN);
  return plain;
}

bool TlsClient::ended() const {
  return (SSL_get_shutdown(impl_->ssl) & SSL_RECEIVED_SHUTDOWN) != 0;
}

std::string TlsClient::version() const {
  return SSL_get_version(impl_->ssl);
}

std::string TlsClient::protocol() const {
  const unsigned char* name = nullptr;
  unsigned size = 0;
  SSL_get0_alpn_selected(impl_->ssl, &name, &size);
  return size == 0 ? "" : std::string(reinterpret_cast<const char*>(name), size);
}

std::string TlsClient::peer_name() const {
  X509* peer = SSL_get1_peer_certificate(impl_->ssl);
  if (peer == nullptr) return "";
  std::array<char, 256> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(peer), NID_commonName, name.data(), name.size());
  X509_free(peer);
  return name.data();
}

}  // namespace ducat::testing
