#pragma once
// Owners of OpenSSL's objects, and what its error queue says: no object is freed by hand. Only for
// the crypto module.

#include <memory>
#include <string>

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

namespace ducat::transport {

template <auto Free>
struct FreeWith {
  template <class T>
  void operator()(T* object) const {
    Free(object);
  }
};
template <class T, auto Free>
using OpensslPtr = std::unique_ptr<T, FreeWith<Free>>;

using Number = OpensslPtr<BIGNUM, &BN_free>;
using PublicKey = OpensslPtr<EVP_PKEY, &EVP_PKEY_free>;
using DigestContext = OpensslPtr<EVP_MD_CTX, &EVP_MD_CTX_free>;

// The oldest error of this thread's queue as text, and empties the queue.
[[nodiscard]] inline std::string TakeOpensslError() {
  const unsigned long code = ERR_get_error();
  ERR_clear_error();
  const char* text = code == 0 ? nullptr : ERR_reason_error_string(code);
  return text != nullptr ? text : "unknown error";
}

}  // namespace ducat::transport
