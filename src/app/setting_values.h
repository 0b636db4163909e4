#pragma once
// Texts of settings to values. Each fails with a sentence that says what is allowed. Pure
// functions.

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/result.h"

namespace ducat::app {

[[nodiscard]] Result<int64_t> ParseWhole(std::string_view text, int64_t least, int64_t most);
// "2GiB", "512MiB", "16KiB", "1TiB", plain bytes; also GB, MB, KB as powers of 1000.
[[nodiscard]] Result<uint64_t> ParseBytes(std::string_view text, uint64_t least);
// "30min", "5 s", "250ms", at most 30 days; a number alone is milliseconds, as the reference
// servers count.
[[nodiscard]] Result<std::chrono::milliseconds> ParseDuration(std::string_view text);
// Seconds with a fraction: "30", "0.5".
[[nodiscard]] Result<std::chrono::milliseconds> ParseSeconds(std::string_view text, double least,
                                                             double most);
[[nodiscard]] Result<bool> ParseSwitch(std::string_view text);
// Index of the choice, ASCII letter case ignored.
[[nodiscard]] Result<size_t> ParseChoice(std::string_view text,
                                         std::span<const std::string_view> choices);

// "2 GiB", "512 MiB", "1000 bytes".
[[nodiscard]] std::string BytesText(uint64_t bytes);

}  // namespace ducat::app
