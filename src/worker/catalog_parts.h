#pragma once
// SplitDelta: a catalog delta as several that each fit a frame. Applied in order they give the same
// catalog: the first one carries the version step and the removals, the rest add to that version.
// Pure.

#include <cstddef>
#include <vector>

#include "worker/catalog.h"
#include "worker/frame.h"

namespace ducat::worker {

// Far below a frame: the estimate counts bytes before escaping, which may make six of one.
inline constexpr size_t kCatalogPartBytes = kFramePayloadMax / 8;

[[nodiscard]] std::vector<CatalogDelta> SplitDelta(const CatalogDelta& delta,
                                                   size_t part_bytes = kCatalogPartBytes);

}  // namespace ducat::worker
