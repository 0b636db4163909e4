#include "transport/crypto/crypto_module.h"

#include <array>
#include <dlfcn.h>
#include <unistd.h>

namespace ducat::transport {

std::string CryptoModulePath() {
  constexpr std::string_view kFromRoot = "/lib/libducat-crypto.so";
  std::array<char, 4'096> buffer{};
  const ssize_t size = ::readlink("/proc/self/exe", buffer.data(), buffer.size());
  if (size <= 0) return std::string(kFromRoot.substr(1));
  const std::string_view executable(buffer.data(), static_cast<size_t>(size));
  const std::string_view folder = executable.substr(0, executable.rfind('/'));
  return std::string(folder.substr(0, folder.rfind('/'))).append(kFromRoot);
}

Result<std::unique_ptr<CryptoModule>> LoadCryptoModule(const std::string& path) {
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  void* maker = library != nullptr ? ::dlsym(library, kCryptoModuleMaker) : nullptr;
  if (maker == nullptr) {
    const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): one thread loads
    return Fail(ErrorCode::kFailedPrecondition, "crypto_unavailable",
                "The library for TLS and signatures cannot be loaded: " +
                    std::string(why != nullptr ? why : path),
                "It belongs into the folder lib beside the folder of ducat.");
  }
  return std::unique_ptr<CryptoModule>(reinterpret_cast<CryptoModuleMaker>(maker)());
}

}  // namespace ducat::transport
