#pragma once
// The product's version and the engine's, as people and clients see them. Constants, read by any
// thread; the product's own comes from CMake.

#include <string>
#include <string_view>

namespace ducat::app {

inline constexpr std::string_view kVersion = DUCAT_VERSION;
inline constexpr std::string_view kEngineVersion = "1.5.6";

[[nodiscard]] inline std::string VersionText() {
  return "ducat " + std::string(kVersion) + " (DuckDB " + std::string(kEngineVersion) + ")\n";
}

}  // namespace ducat::app
