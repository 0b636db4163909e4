#pragma once
// RequestParser: one request from bytes to head and body; Beast's parser behind it, whose header is
// slow to compile and stays in one file. The head is scanned first (head_scan.h). Owned by a
// connection, made anew for each request. Nothing here blocks or throws.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "transport/http/head_scan.h"
#include "transport/http/limits.h"
#include "transport/http/request_head.h"

namespace ducat::transport {

class RequestParser {
 public:
  explicit RequestParser(const HttpLimits& limits);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  // `head` is a whole head with its empty line; it must live as long as the views in head().
  [[nodiscard]] std::optional<HeadFault> ReadHead(std::string_view head);
  [[nodiscard]] const RequestHead& head() const;

  // Takes body bytes from the start of `bytes`; `taken` counts them.
  // Fails with 413 when the body grows over its limit and with 400 for broken chunks.
  [[nodiscard]] std::optional<HeadFault> ReadBody(std::string_view bytes, size_t& taken);
  [[nodiscard]] bool done() const;
  [[nodiscard]] const std::string& body() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ducat::transport
