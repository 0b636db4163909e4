#pragma once
// Sending a result that is no row set: one META frame of at most 1 MiB (guard.md 3.2), which the
// control process reads as a message. Fails when the answer is larger. Job thread.

#include <string>

#include "json/encode.h"
#include "worker/child/job.h"

namespace ducat::analyst {

inline constexpr size_t kMetaBytesMax = size_t{1} << 20;

// Gives the (empty) counters of DONE. Reason too_large when the answer does not fit.
[[nodiscard]] inline Result<std::string> SendMetaText(worker::child::JobContext& context,
                                                      const std::string& meta) {
  if (meta.size() > kMetaBytesMax) {
    return Fail(ErrorCode::kResourceExhausted, "result_too_large",
                "The answer has " + std::to_string(meta.size()) + " bytes, the limit is " +
                    std::to_string(kMetaBytesMax),
                "Ask for fewer columns.");
  }
  TRY(context.output.Meta(meta));
  return std::string("{}");
}

template <class Out>
[[nodiscard]] Result<std::string> SendMeta(worker::child::JobContext& context, const Out& out) {
  return SendMetaText(context, json::Encode(out));
}

}  // namespace ducat::analyst
