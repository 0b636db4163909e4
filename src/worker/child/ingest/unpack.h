#pragma once
// Unpacks a compressed text file into the private directory. The engine's own reader does it, line
// by line, so that no second decompressor is linked. Job thread.

#include <string>
#include <string_view>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/source_file.h"
#include "worker/child/ingest/text_encoding.h"

namespace ducat::ingest {

// The lines of the file, which must be UTF-8, with \n behind each.
[[nodiscard]] engine::EngineResult<SourceFile> Unpack(engine::Connection& connection,
                                                      const ReadableText& packed,
                                                      std::string_view private_dir);

}  // namespace ducat::ingest
