#include "transport/crypto/module/server_tls.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "transport/crypto/module/openssl_objects.h"

namespace ducat::transport {
namespace {

using Context = OpensslPtr<SSL_CTX, &SSL_CTX_free>;
using Connection = OpensslPtr<SSL, &SSL_free>;
using Memory = OpensslPtr<BIO, &BIO_free>;
using Certificate = OpensslPtr<X509, &X509_free>;

// Its length, then the name (RFC 7301).
constexpr std::string_view kProtocols("\x08http/1.1", 9);

Failure Invalid(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_certificate", std::move(message));
}

// Without it OpenSSL would ask on the terminal.
int NoPassword(char*, int, int, void*) {
  return 0;
}

Memory Reader(const std::string& text) {
  return Memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// NOLINTNEXTLINE(readability-function-size): OpenSSL chose the parameters.
int ChooseProtocol(SSL*, const unsigned char** out, unsigned char* out_size,
                   const unsigned char* offered, unsigned offered_size, void*) {
  unsigned char* chosen = nullptr;
  const auto* own = reinterpret_cast<const unsigned char*>(kProtocols.data());
  const int found =
      SSL_select_next_proto(&chosen, out_size, own, kProtocols.size(), offered, offered_size);
  *out = chosen;
  return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

Status UseCertificates(SSL_CTX* context, const std::string& text) {
  const Memory reader = Reader(text);
  const Certificate own(PEM_read_bio_X509(reader.get(), nullptr, &NoPassword, nullptr));
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) {
    return Invalid("The TLS certificate cannot be read: " + TakeOpensslError());
  }
  while (true) {
    const Certificate next(PEM_read_bio_X509(reader.get(), nullptr, &NoPassword, nullptr));
    if (!next) break;
    if (SSL_CTX_add1_chain_cert(context, next.get()) != 1) return Invalid(TakeOpensslError());
  }
  ERR_clear_error();  // the end of the text
  return {};
}

Status UseKey(SSL_CTX* context, const std::string& text) {
  const Memory reader = Reader(text);
  const PublicKey key(PEM_read_bio_PrivateKey(reader.get(), nullptr, &NoPassword, nullptr));
  if (!key) {
    return Invalid("The TLS key cannot be read, or needs a password: " + TakeOpensslError());
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
    return Invalid("The TLS key does not belong to the certificate: " + TakeOpensslError());
  }
  return {};
}

class OpensslSession final : public TlsSession {
 public:
  explicit OpensslSession(SSL_CTX* context) : ssl_(SSL_new(context)) {
    if (!ssl_) return;
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl_.get());
  }

  [[nodiscard]] bool Receive(std::string_view bytes, std::string& plain,
                             std::string& wire) override {
    if (!ssl_) return false;
    bool alive = Feed(bytes) && (handshaken() || Shake());
    if (alive && handshaken()) alive = Read(plain);
    TakeOutput(wire);
    return alive;
  }

  [[nodiscard]] bool Send(std::string_view plain, std::string& wire) override {
    constexpr size_t kMost = std::numeric_limits<int>::max() / 2;
    while (ssl_ && !plain.empty()) {
      const std::string_view part = plain.substr(0, kMost);
      if (SSL_write(ssl_.get(), part.data(), static_cast<int>(part.size())) <= 0) {
        ERR_clear_error();
        return false;
      }
      plain.remove_prefix(part.size());
    }
    TakeOutput(wire);
    return ssl_ != nullptr;
  }

  void Close(std::string& wire) override {
    if (!handshaken()) return;
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
    TakeOutput(wire);
  }

  [[nodiscard]] bool handshaken() const override {
    return ssl_ && SSL_is_init_finished(ssl_.get()) == 1;
  }

 private:
  bool Feed(std::string_view bytes) {
    return bytes.empty() ||
           BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size())) ==
               static_cast<int>(bytes.size());
  }
  bool Shake() { return Waits(SSL_do_handshake(ssl_.get())); }
  bool Read(std::string& plain) {
    std::array<char, 16'384> part{};
    while (true) {
      const int got = SSL_read(ssl_.get(), part.data(), part.size());
      if (got <= 0) return Waits(got);
      plain.append(part.data(), static_cast<size_t>(got));
    }
  }
  // Done, or only wants more bytes.
  bool Waits(int result) {
    const int error = SSL_get_error(ssl_.get(), result);
    ERR_clear_error();
    return error == SSL_ERROR_NONE || error == SSL_ERROR_WANT_READ;
  }
  void TakeOutput(std::string& wire) {
    BIO* out = ssl_ ? SSL_get_wbio(ssl_.get()) : nullptr;
    const size_t size = out != nullptr ? BIO_ctrl_pending(out) : 0;
    const size_t before = wire.size();
    wire.resize(before + size);
    if (size > 0) BIO_read(out, wire.data() + before, static_cast<int>(size));
  }

  Connection ssl_;
};

class OpensslContext final : public TlsContext {
 public:
  explicit OpensslContext(Context context) : context_(std::move(context)) {}
  [[nodiscard]] std::unique_ptr<TlsSession> Accept() const override {
    return std::make_unique<OpensslSession>(context_.get());
  }

 private:
  Context context_;
};

}  // namespace

Result<std::shared_ptr<const TlsContext>> MakeServerTls(const std::string& certificates,
                                                        const std::string& key) {
  Context context(SSL_CTX_new(TLS_server_method()));
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1) {
    return Invalid("TLS cannot be set up: " + TakeOpensslError());
  }
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                         SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);  // tickets need none
  SSL_CTX_set_alpn_select_cb(context.get(), &ChooseProtocol, nullptr);
  TRY(UseCertificates(context.get(), certificates));
  TRY(UseKey(context.get(), key));
  return std::make_shared<const OpensslContext>(std::move(context));
}

}  // namespace ducat::transport
