#pragma once
// The part of libzstd's stable interface that unpacks a stream (version 1.0 and later), declared
// here: libzstd.so.1 is on every Debian system, its headers are not. Job thread.

#include <cstddef>

// Names are those of the library.
// NOLINTBEGIN(readability-identifier-naming)
extern "C" {
struct ZSTD_DCtx_s;
struct ZSTD_inBuffer_s {
  const void* src;
  size_t size;
  size_t pos;
};
struct ZSTD_outBuffer_s {
  void* dst;
  size_t size;
  size_t pos;
};
ZSTD_DCtx_s* ZSTD_createDStream(void);
size_t ZSTD_freeDStream(ZSTD_DCtx_s* stream);
size_t ZSTD_decompressStream(ZSTD_DCtx_s* stream, ZSTD_outBuffer_s* output, ZSTD_inBuffer_s* input);
unsigned ZSTD_isError(size_t code);
const char* ZSTD_getErrorName(size_t code);
}
// NOLINTEND(readability-identifier-naming)
