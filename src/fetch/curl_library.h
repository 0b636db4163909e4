#pragma once
// CurlLibrary: the functions of libcurl, opened with dlopen when they are first needed, since
// linking it would cost every start 3.5 ms (ADR 0010). Owned by its client; control thread only.

#include <curl/curl.h>

#include "base/result.h"

namespace ducat::fetch {

struct CurlLibrary {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_multi_init) multi_init = nullptr;
  decltype(&::curl_multi_setopt) multi_setopt = nullptr;
  decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&::curl_multi_socket_action) multi_socket_action = nullptr;
  decltype(&::curl_multi_info_read) multi_info_read = nullptr;
  decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;

  // Fails with "fetch_failed" when the library or a function of it is missing. It stays loaded
  // until the process ends.
  [[nodiscard]] static Result<CurlLibrary> Open();
};

}  // namespace ducat::fetch
