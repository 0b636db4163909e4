#pragma once
// The arrows of design.md section 3: which layer may include which, and which layer alone may
// include a third-party header. Stateless.

#include "tidy/source_file.h"

namespace ducat::tidy {

// The layer of a file below src/ ("json", "worker/child", "packs/analyst"), or empty.
[[nodiscard]] std::string LayerOf(std::string_view path_below_src);

void CheckIncludes(const SourceFile& file, Findings& findings);

}  // namespace ducat::tidy
