#include "transport/http/head_scan.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "base/text.h"

namespace ducat::transport {
namespace {

using Fault = std::optional<HeadFault>;

constexpr std::string_view kLineEnd = "\r\n";

// Headers that may stand in a head once at most; every Mcp-… one too.
constexpr std::array<std::string_view, 4> kOnce{"host", "content-length", "origin",
                                                "authorization"};

constexpr bool IsTokenCharacter(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsAsciiDigit(c)) return true;
  return std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsToken(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, IsTokenCharacter);
}

// "HTTP/1.1", "HTTP/1.0"; nothing else is spoken here.
Fault CheckVersion(std::string_view version) {
  if (version == "HTTP/1.1" || version == "HTTP/1.0") return {};
  if (version.starts_with("HTTP/") && version.size() <= 8) {
    return HeadFault{505, "version", "Only HTTP/1.1 and HTTP/1.0 are spoken here"};
  }
  return HeadFault{400, "request_line", "The request line must end with the HTTP version"};
}

Fault CheckRequestLine(std::string_view line, const HttpLimits& limits) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == line.npos || first == last) {
    return HeadFault{400, "request_line", "The request line must be METHOD TARGET VERSION"};
  }
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!IsToken(line.substr(0, first)) || target.find_first_of(" \t") != target.npos) {
    return HeadFault{400, "request_line", "The request line must be METHOD TARGET VERSION"};
  }
  if (target.size() > limits.target_bytes_max) {
    return HeadFault{414, "target_too_long", "The request target is too long"};
  }
  if (!target.starts_with('/')) {
    return HeadFault{400, "target_form", "The request target must be a path"};
  }
  return CheckVersion(line.substr(last + 1));
}

// What the lines before have shown.
struct Seen {
  std::array<bool, kOnce.size()> once{};
  std::set<std::string> mcp;  // in lower case
  bool transfer_encoding = false;
};

Fault CheckOnce(std::string_view name, Seen& seen) {
  for (size_t i = 0; i < kOnce.size(); ++i) {
    if (!EqualsIgnoringCase(name, kOnce[i])) continue;
    if (seen.once[i]) return HeadFault{400, "duplicate_header", "A header is there twice"};
    seen.once[i] = true;
  }
  if (name.size() < 4 || !EqualsIgnoringCase(name.substr(0, 4), "mcp-")) return {};
  if (!seen.mcp.insert(AsciiLower(name)).second) {
    return HeadFault{400, "duplicate_header", "A header is there twice"};
  }
  return {};
}

Fault CheckFraming(std::string_view name, std::string_view value, Seen& seen) {
  if (EqualsIgnoringCase(name, "content-length")) {
    const bool digits = !value.empty() && std::ranges::all_of(value, IsAsciiDigit);
    if (!digits || value.size() > 18) {
      return HeadFault{400, "content_length", "Content-Length must be one whole number"};
    }
  } else if (EqualsIgnoringCase(name, "transfer-encoding")) {
    if (seen.transfer_encoding || !EqualsIgnoringCase(value, "chunked")) {
      return HeadFault{400, "transfer_encoding", "Transfer-Encoding must be chunked, once"};
    }
    seen.transfer_encoding = true;
  }
  return {};
}

Fault CheckHeaderLine(std::string_view line, Seen& seen) {
  if (Fault fault = ScanHeaderLine(line)) return fault;
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  if (Fault fault = CheckOnce(name, seen)) return fault;
  return CheckFraming(name, Trim(line.substr(colon + 1)), seen);
}

Fault CheckTogether(std::string_view version, const Seen& seen) {
  if (!seen.once[0]) return HeadFault{400, "host_missing", "The header Host is missing"};
  if (!seen.transfer_encoding) return {};
  if (seen.once[1]) {
    return HeadFault{400, "length_and_encoding",
                     "Content-Length and Transfer-Encoding exclude each other"};
  }
  // RFC 9112, 6.1: nobody who speaks 1.0 knows where such a body ends.
  if (version == "HTTP/1.0") {
    return HeadFault{400, "transfer_encoding", "HTTP/1.0 has no Transfer-Encoding"};
  }
  return {};
}

}  // namespace

bool IsHeaderControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

std::optional<HeadFault> ScanHeaderLine(std::string_view line) {
  if (line.starts_with(' ') || line.starts_with('\t')) {
    return HeadFault{400, "folded_line", "A header must not be folded over lines"};
  }
  const size_t colon = line.find(':');
  if (colon == line.npos || !IsToken(line.substr(0, colon))) {
    return HeadFault{400, "header_name", "A header line must be NAME: VALUE"};
  }
  // Before trimming: Trim takes more for a blank than HTTP does.
  if (std::ranges::any_of(line.substr(colon + 1), IsHeaderControl)) {
    return HeadFault{400, "header_value", "A header value must not hold control characters"};
  }
  return {};
}

std::optional<HeadFault> ScanHeadBytes(std::string_view part) {
  constexpr std::string_view kSpecial("\r\n\0", 3);
  for (size_t at = part.find_first_of(kSpecial); at != part.npos;
       at = part.find_first_of(kSpecial, at)) {
    if (part[at] == '\0') return HeadFault{400, "nul", "A head must not hold NUL"};
    const std::string_view end = part.substr(at, 2);
    if (end != kLineEnd && end != "\r") {
      return HeadFault{400, "line_end", "Lines must end with CR LF"};
    }
    at += 2;
  }
  return {};
}

std::optional<HeadFault> ScanHead(std::string_view head, const HttpLimits& limits) {
  if (Fault fault = ScanHeadBytes(head)) return fault;
  size_t end = head.find(kLineEnd);
  if (end == head.npos) return HeadFault{400, "request_line", "There is no request line"};
  const std::string_view request_line = head.substr(0, end);
  if (Fault fault = CheckRequestLine(request_line, limits)) return fault;
  Seen seen;
  size_t lines = 0;
  for (head.remove_prefix(end + 2); !head.empty(); head.remove_prefix(end + 2)) {
    end = head.find(kLineEnd);
    if (end == 0 || end == head.npos) break;
    if (++lines > limits.header_lines_max) {
      return HeadFault{431, "header_lines", "There are too many header lines"};
    }
    if (Fault fault = CheckHeaderLine(head.substr(0, end), seen)) return fault;
  }
  return CheckTogether(request_line.substr(request_line.rfind(' ') + 1), seen);
}

}  // namespace ducat::transport
