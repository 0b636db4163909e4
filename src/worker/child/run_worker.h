#pragma once
// RunWorker: the whole life of a ducat-worker process (guard.md 4.1). The main program gives the
// jobs it knows; everything else comes from the HELLO frame on fd 3.

#include <vector>

#include "worker/child/job.h"

namespace ducat::worker::child {

// `argv[1]` is the control process's pid. Gives the exit code, or ends the process itself.
[[nodiscard]] int RunWorker(std::vector<JobEntry> jobs, int argc, char** argv);

}  // namespace ducat::worker::child
