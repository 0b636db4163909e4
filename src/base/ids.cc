#include "base/ids.h"

#include <cerrno>
#include <cstring>
#include <sys/random.h>

#include "base/result.h"

namespace ducat {
namespace {

constexpr char kCrockford[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr size_t kBytesPerId = 7;  // 56 bits, of which 50 are used

}  // namespace

void FillRandom(std::span<uint8_t> out) {
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::getrandom(out.data() + done, out.size() - done, 0);
    if (got < 0 && errno == EINTR) continue;
    CHECK(got > 0);
    done += static_cast<size_t>(got);
  }
}

std::string FormatRequestId(uint64_t bits) {
  std::string id(11, '-');
  for (size_t i = 0; i < 10; ++i) {
    id[i < 5 ? i : i + 1] = kCrockford[(bits >> (45 - 5 * i)) & 31U];
  }
  return id;
}

std::string RequestIds::Next() {
  if (used_ + kBytesPerId > block_.size()) {
    FillRandom(block_);
    used_ = 0;
  }
  uint64_t bits = 0;
  std::memcpy(&bits, block_.data() + used_, kBytesPerId);
  used_ += kBytesPerId;
  return FormatRequestId(bits);
}

}  // namespace ducat
