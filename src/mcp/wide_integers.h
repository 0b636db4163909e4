#pragma once
// Integers beyond 64 bits in the arguments of a call: the reader of JSON has no place for them, and
// a double would change them. They are read as strings of their digits, which every tool takes for
// a number (protocol.md F-10). Looked for in refused texts alone. Pure; any thread.

#include <string>
#include <string_view>

#include "json/view.h"

namespace ducat::mcp {

enum class ArgumentsAt : uint8_t {
  kRoot,     // the text is the arguments
  kMessages  // the text is a message, or a batch of them: params.arguments
};

// Parses; integers in the arguments that are too long become strings.
[[nodiscard]] Result<json::View> ParseWithWideIntegers(json::Document& document,
                                                       std::string_view text, ArgumentsAt arguments,
                                                       const json::ParseLimits& limits = {});

}  // namespace ducat::mcp
