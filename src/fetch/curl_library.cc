#include "fetch/curl_library.h"

#include <dlfcn.h>

namespace ducat::fetch {
namespace {

constexpr const char* kLibrary = "libcurl.so.4";

Failure Missing() {
  const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): one thread loads
  return Fail(ErrorCode::kUnavailable, "fetch_failed",
              "libcurl cannot be loaded: " + std::string(why != nullptr ? why : kLibrary),
              "Install libcurl4.");
}

template <class Function>
bool Find(void* library, const char* name, Function& out) {
  out = reinterpret_cast<Function>(::dlsym(library, name));
  return out != nullptr;
}

}  // namespace

Result<CurlLibrary> CurlLibrary::Open() {
  void* library = ::dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) return Missing();
  CurlLibrary out;
  const bool whole = Find(library, "curl_global_init", out.global_init) &&
                     Find(library, "curl_easy_init", out.easy_init) &&
                     Find(library, "curl_easy_setopt", out.easy_setopt) &&
                     Find(library, "curl_easy_getinfo", out.easy_getinfo) &&
                     Find(library, "curl_easy_cleanup", out.easy_cleanup) &&
                     Find(library, "curl_easy_strerror", out.easy_strerror) &&
                     Find(library, "curl_multi_init", out.multi_init) &&
                     Find(library, "curl_multi_setopt", out.multi_setopt) &&
                     Find(library, "curl_multi_add_handle", out.multi_add_handle) &&
                     Find(library, "curl_multi_remove_handle", out.multi_remove_handle) &&
                     Find(library, "curl_multi_socket_action", out.multi_socket_action) &&
                     Find(library, "curl_multi_info_read", out.multi_info_read) &&
                     Find(library, "curl_multi_cleanup", out.multi_cleanup);
  if (!whole || out.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return Missing();
  return out;
}

}  // namespace ducat::fetch
