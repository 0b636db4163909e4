#include <cstdio>
#include <cstdlib>

#include "base/result.h"

namespace ducat::internal {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: invariant broken: %s\n", file, line, condition);
  std::abort();
}

}  // namespace ducat::internal
