#pragma once
// The pack's part of the server's instructions (analyst.md 9): what this is, which tool first,
// which tables there are. Pure function of the dataset's state.

#include <string>

#include "packs/analyst/dataset.h"

namespace ducat::analyst {

inline constexpr size_t kInstructionsMax = 800;  // characters

[[nodiscard]] std::string Instructions(const Dataset& dataset);

}  // namespace ducat::analyst
