#include "app/core_files.h"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace ducat::app {

void RefuseCoreFiles() {
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0);
}

}  // namespace ducat::app
