#pragma once
// Cursors of this pack's paged lists: opaque text that names the last entry shown, so that entries
// which appear or move between two pages are never skipped. Bound to a list and its version; a
// stale or foreign one is refused with bad_cursor. Pure functions.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ducat::analyst {

[[nodiscard]] std::string EncodeCursor(std::string_view list, uint64_t version,
                                       std::string_view last);
// The `last` it was made with.
[[nodiscard]] Result<std::string> DecodeCursor(std::string_view list, uint64_t version,
                                               std::string_view cursor);

}  // namespace ducat::analyst
