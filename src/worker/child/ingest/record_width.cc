#include "worker/child/ingest/record_width.h"

#include <algorithm>

namespace ducat::ingest {

void RecordWidth::Feed(std::string_view piece) {
  for (const char c : piece) {
    if (c == '"') {
      quoted_ = !quoted_;
    } else if (quoted_) {
      continue;
    } else if (c == '\n' || c == '\r') {
      found_.fill(0);
    } else if (const size_t which = kDelimiters.find(c); which != std::string_view::npos) {
      widest_ = std::max(widest_, ++found_[which] + 1);
    }
  }
}

}  // namespace ducat::ingest
