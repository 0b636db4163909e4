#pragma once
// Finds how a delimited text is cut: delimiter, quote, escape and the width that most records have
// (analyst.md 3.3). The sample is cut under every candidate; the one that the fewest records break
// is taken. Pure; job thread.

#include <string_view>

#include "worker/child/ingest/csv_walk.h"

namespace ducat::ingest {

inline constexpr size_t kDialectSampleBytes = size_t{256} << 10;

// `delimiter`: what is known of it (.tsv), or empty.
[[nodiscard]] CsvLayout DetectLayout(const CsvHead& head, std::string_view delimiter);

}  // namespace ducat::ingest
