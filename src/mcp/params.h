#pragma once
// Reading the params of a method: what is missing, of a wrong type, too long or contains U+0000 is
// -32602 with the member's name. Views borrow from the message. Pure.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "json/view.h"
#include "mcp/rpc_error.h"

namespace ducat::mcp {

template <class T>
using Params = tl::expected<T, RpcError>;

[[nodiscard]] tl::unexpected<RpcError> InvalidParams(std::string message);

// A required, non-empty string of at most `bytes_max` bytes; `path` is how the error names it.
[[nodiscard]] Params<std::string_view> RequiredString(json::View object, std::string_view key,
                                                      std::string_view path, size_t bytes_max);
// The same, but the string may be empty.
[[nodiscard]] Params<std::string_view> AnyString(json::View object, std::string_view key,
                                                 std::string_view path, size_t bytes_max);
// An optional object of strings; absent and null are empty.
[[nodiscard]] Params<std::map<std::string, std::string>> StringMap(json::View object,
                                                                   std::string_view key,
                                                                   std::string_view path);

}  // namespace ducat::mcp
