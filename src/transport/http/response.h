#pragma once
// Response: one HTTP answer before it is bytes. Plain values; AppendHead writes the status line and
// the headers in one go.

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace ducat::transport {

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kEventStreamType = "text/event-stream";

struct Response {
  int status = 200;
  std::string_view content_type;  // a literal; empty: no content
  std::string headers;            // further lines, each with its CR LF
  std::string body;
};

// How the rest of the connection goes on, and what the head must say about it.
struct Framing {
  int version = 11;
  bool keep_alive = true;
  bool stream = false;     // no length: chunked, or until the connection closes
  bool head_only = false;  // HEAD: the length without the body
};

// The header line Date, written anew once a second. One per server.
class DateLine {
 public:
  // Valid until the next call.
  [[nodiscard]] std::string_view At(WallTime wall);

 private:
  std::time_t second_ = -1;
  std::string line_;
};

// The head as bytes; `date` is a DateLine.
void AppendHead(const Response& response, const Framing& framing, std::string_view date,
                std::string& out);

// "Name: value\r\n".
void AppendHeader(std::string& out, std::string_view name, std::string_view value);

}  // namespace ducat::transport
