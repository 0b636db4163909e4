#include "app/http_auth.h"

#include <memory>
#include <utility>

#include "fetch/curl_client.h"
#include "transport/crypto/crypto_module.h"
#include "transport/http/jwt/jwks_url.h"
#include "transport/http/jwt/jwt_verifier.h"
#include "transport/http/tls_files.h"
#include "transport/http/token_file.h"

namespace ducat::app {
namespace {

using transport::IssuerKeys;
using transport::JwtKeys;

Failure Refuse(std::string message, std::string hint) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting", std::move(message), std::move(hint));
}

Status OpenTokens(const Settings& settings, transport::HttpOptions& options) {
  const std::string& given = settings.http->token_file;
  const std::string path = given.empty() ? settings.home + "/state/tokens" : given;
  TRY_ASSIGN(transport::TokenFile tokens, transport::TokenFile::Open(path));
  options.tokens = std::make_shared<transport::TokenFile>(std::move(tokens));
  return {};
}

Result<std::shared_ptr<const transport::CryptoModule>> LoadModule() {
  TRY_ASSIGN(auto loaded, transport::LoadCryptoModule(transport::CryptoModulePath()));
  return std::shared_ptr<const transport::CryptoModule>(std::move(loaded));
}

// Exactly one of the three sources of keys.
Status CheckSources(const JwtSettings& jwt) {
  const int sources = static_cast<int>(!jwt.key_file.empty()) +
                      static_cast<int>(!jwt.secret.empty()) + static_cast<int>(!jwt.jwks.empty());
  if (sources == 1) return {};
  return Refuse(sources == 0 ? "--auth jwt has no key to check tokens with"
                             : "--auth jwt has more than one source of keys",
                "Give one of --jwks, --jwt-key-file and the variable DUCAT_JWT_SECRET.");
}

Result<std::unique_ptr<IssuerKeys>> OpenKeys(const JwtSettings& jwt, boost::asio::io_context& loop,
                                             Log& log) {
  if (!jwt.secret.empty()) {
    TRY_ASSIGN(JwtKeys keys, transport::SecretKeys(jwt.secret));
    return std::make_unique<transport::FixedKeys>(std::move(keys));
  }
  if (!jwt.key_file.empty()) return transport::KeyFile::Open(jwt.key_file, &transport::SecretKeys);
  TRY_ASSIGN(auto module, LoadModule());
  if (jwt.jwks.find("://") == std::string::npos) {
    return transport::KeyFile::Open(
        jwt.jwks, [module](std::string_view text) { return transport::ParseJwks(text, *module); });
  }
  transport::JwksUrl::Parts parts{.url = jwt.jwks,
                                  .limits = jwt.limits,
                                  .module = module,
                                  .client = std::make_unique<fetch::CurlClient>(loop)};
  return std::make_unique<transport::JwksUrl>(std::move(parts), log);
}

Status OpenJwt(const HttpSettings& http, boost::asio::io_context& loop, Log& log,
               transport::HttpOptions& options) {
  TRY(CheckSources(http.jwt));
  if (http.jwt.issuer.empty()) {
    return Refuse("--auth jwt does not know whose tokens it takes",
                  "Give --jwt-issuer: what the tokens' iss says.");
  }
  const std::string& audience = http.jwt.audience.empty() ? options.public_url : http.jwt.audience;
  if (audience.empty()) {
    return Refuse("--auth jwt does not know what its tokens are for",
                  "Give --public-url, or --jwt-audience: what the tokens' aud says.");
  }
  TRY_ASSIGN(std::unique_ptr<IssuerKeys> keys, OpenKeys(http.jwt, loop, log));
  options.jwt = std::make_shared<transport::JwtVerifier>(
      transport::JwtRules{.issuer = http.jwt.issuer, .audience = audience}, std::move(keys), log);
  return {};
}

// Who names tokens or an issuer means to be guarded; a server that lets everybody in instead would
// not be noticed.
Status CheckUnused(const HttpSettings& http) {
  std::string_view given;
  if (!http.token_file.empty()) given = "--token-file";
  if (!http.jwt.issuer.empty()) given = "--jwt-issuer";
  if (!http.jwt.audience.empty()) given = "--jwt-audience";
  if (!http.jwt.jwks.empty()) given = "--jwks";
  if (!http.jwt.key_file.empty()) given = "--jwt-key-file";
  if (given.empty()) return {};
  return Refuse(std::string(given) + " is given, but everybody may call: there is no --auth",
                "Say --auth token or --auth jwt, or leave it out.");
}

Status OpenTls(const HttpSettings& http, transport::HttpOptions& options) {
  if (http.tls_certificate.empty() && http.tls_key.empty()) return {};
  if (http.tls_certificate.empty() || http.tls_key.empty()) {
    return Refuse("TLS needs a certificate and its key", "Give both --tls-cert and --tls-key.");
  }
  TRY_ASSIGN(auto module, LoadModule());
  TRY_ASSIGN(options.tls, transport::TlsFiles::Open(http.tls_certificate, http.tls_key, module));
  return {};
}

}  // namespace

Status OpenAuth(const Settings& settings, boost::asio::io_context& loop, Log& log,
                transport::HttpOptions& options) {
  TRY(OpenTls(*settings.http, options));
  switch (settings.http->auth) {
    case AuthMode::kNone:
      return CheckUnused(*settings.http);
    case AuthMode::kToken:
      return OpenTokens(settings, options);
    case AuthMode::kJwt:
      return OpenJwt(*settings.http, loop, log, options);
  }
  return {};
}

}  // namespace ducat::app
