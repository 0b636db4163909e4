#pragma once
// HttpSettings: what `ducat serve` and `--http` are told besides a pack's settings (protocol.md
// 1.3, 9). Filled through the flags of HttpFlags() in settings.h. Plain values.

#include <string>

#include "transport/http/listen_address.h"
#include "transport/http/options.h"

namespace ducat::app {

struct HttpSettings {
  std::string address{transport::kDefaultHttpAddress};
  transport::HttpOptions options;
  bool allow_unauthenticated = false;
  bool wants_tokens = false;  // --auth token
  std::string token_file;     // empty: below the home directory
};

}  // namespace ducat::app
