#pragma once
// The scan of a raw request head that comes before the parser (protocol.md 7.1): refuses whatever
// two parsers could read in two ways, which is what request smuggling lives on. Pure; linear in the
// head.

#include <cstdint>
#include <optional>
#include <string_view>

#include "transport/http/limits.h"

namespace ducat::transport {

// What is wrong with a head; `kind` is a literal for metrics and for the error's name.
struct HeadFault {
  int status = 400;
  std::string_view kind;
  std::string_view message;
};

// What no head may hold, for as much of one as has come: NUL, and CR or LF that end no line. A CR
// at the end may still be the first half of a line end.
[[nodiscard]] std::optional<HeadFault> ScanHeadBytes(std::string_view part);

// What no header value may hold: control characters but tab.
[[nodiscard]] bool IsHeaderControl(char c);

// One line `NAME: VALUE` without its end: a header, or a trailer.
[[nodiscard]] std::optional<HeadFault> ScanHeaderLine(std::string_view line);

// `head` ends with its empty line.
[[nodiscard]] std::optional<HeadFault> ScanHead(std::string_view head, const HttpLimits& limits);

}  // namespace ducat::transport
