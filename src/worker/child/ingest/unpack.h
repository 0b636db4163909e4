#pragma once
// Unpacks a compressed text file into the private directory, byte for byte, within limits: what a
// small file unpacks to is not known before (analyst.md 3.2). Job thread.

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "worker/child/ingest/source_file.h"
#include "worker/child/ingest/text_encoding.h"

namespace ducat::ingest {

struct UnpackLimits {
  uint64_t bytes_max = uint64_t{16} << 30;
  // Unpacked bytes for each packed one, asked when there are more than free_bytes.
  uint64_t ratio_max = 1'000;
  uint64_t free_bytes = uint64_t{64} << 20;
};

// Reasons: corrupt (cut off, checksum), too_large (a limit), temp_limit, cancelled, those of
// OpenToRead.
[[nodiscard]] Result<SourceFile> Unpack(const SourceFile& packed, Compression compression,
                                        std::string_view private_dir, const UnpackLimits& limits,
                                        const std::function<bool()>& interrupted);

}  // namespace ducat::ingest
