#pragma once
// TlsFiles: the certificate and key that a server shows, from two files that are watched. A pair
// that is broken or does not fit together never replaces a good one: connections go on with what
// they began with. Owned by the app, shared with the HTTP server; control thread only.

#include <memory>
#include <string>

#include "base/result.h"
#include "transport/crypto/crypto_module.h"
#include "transport/http/watched_file.h"

namespace ducat::transport {

class TlsFiles {
 public:
  // Fails when the pair is not good at the start.
  [[nodiscard]] static Result<std::shared_ptr<TlsFiles>> Open(
      std::string certificate_path, std::string key_path,
      std::shared_ptr<const CryptoModule> module);

  // Reads both when one has changed, or in any case. True: they were read.
  [[nodiscard]] Result<bool> Reload(bool in_any_case);
  // A session keeps its context.
  [[nodiscard]] const std::shared_ptr<const TlsContext>& context() const { return context_; }

  // For Open alone.
  TlsFiles(std::string certificate_path, std::string key_path,
           std::shared_ptr<const CryptoModule> module);

 private:
  WatchedFile certificates_;
  WatchedFile key_;
  std::shared_ptr<const CryptoModule> module_;
  std::shared_ptr<const TlsContext> context_;
};

}  // namespace ducat::transport
