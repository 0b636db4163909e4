#include "transport/http/response.h"

#include <array>

namespace ducat::transport {
namespace {

std::string_view Phrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

}  // namespace

// RFC 9110, IMF-fixdate: "Sun, 06 Nov 1994 08:49:37 GMT".
std::string_view DateLine::At(WallTime wall) {
  const std::time_t second = std::chrono::system_clock::to_time_t(wall);
  if (second == second_) return line_;
  second_ = second;
  std::tm parts{};
  ::gmtime_r(&second, &parts);
  std::array<char, 40> text{};
  const size_t size =
      std::strftime(text.data(), text.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
  line_.assign(text.data(), size);
  return line_;
}

void AppendHeader(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void AppendHead(const Response& response, const Framing& framing, std::string_view date,
                std::string& out) {
  out.append(framing.version == 10 ? "HTTP/1.0 " : "HTTP/1.1 ");
  out.append(std::to_string(response.status)).append(" ");
  out.append(Phrase(response.status)).append("\r\n");
  out.append(date);
  if (!response.content_type.empty()) {
    AppendHeader(out, "Content-Type", response.content_type);
    AppendHeader(out, "X-Content-Type-Options", "nosniff");
  }
  if (framing.stream) {
    if (framing.version == 11) AppendHeader(out, "Transfer-Encoding", "chunked");
  } else if (response.status != 204) {
    AppendHeader(out, "Content-Length", std::to_string(response.body.size()));
  }
  if (!framing.keep_alive) {
    AppendHeader(out, "Connection", "close");
  } else if (framing.version == 10) {
    AppendHeader(out, "Connection", "keep-alive");
  }
  out.append(response.headers).append("\r\n");
}

}  // namespace ducat::transport
