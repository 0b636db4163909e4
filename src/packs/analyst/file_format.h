#pragma once
// Which files of the data directory can become tables, told by their names alone (analyst.md 2.1).
// Pure functions; any thread.

#include <cstddef>
#include <optional>
#include <string_view>

#include "packs/analyst/messages/ingest.h"

namespace ducat::analyst {

struct FileName {
  FileFormat format = FileFormat::kCsv;
  size_t extension_bytes = 0;  // ".csv.gz" -> 7
};

// Nothing for other names. Text formats may carry .gz or .zst; letter case does not matter.
[[nodiscard]] std::optional<FileName> ParseFileName(std::string_view name);

}  // namespace ducat::analyst
