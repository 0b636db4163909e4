#pragma once
// What an HTTP server needs to know its callers and to be known: the token file or the keys of an
// issuer, certificate and key. Built at the start from settings; what is missing or contradicts
// stops it, with the flag's name.

#include <boost/asio/io_context.hpp>

#include "app/settings.h"
#include "base/log.h"
#include "base/result.h"
#include "transport/http/options.h"

namespace ducat::app {

// Fills `options.tokens` or `options.jwt`, and `options.tls`. Loop and log outlive them.
[[nodiscard]] Status OpenAuth(const Settings& settings, boost::asio::io_context& loop, Log& log,
                              transport::HttpOptions& options);

}  // namespace ducat::app
