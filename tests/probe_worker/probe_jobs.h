#pragma once
// Jobs of the probe worker: attempts to break out of the cage, abuse of resources, forged frames.
// Each attempt is a bare system call, so that nothing in libc stands before the cage. Runs inside
// the worker.

#include <vector>

#include "worker/child/job.h"

namespace ducat::worker::probe {

// "try": {"what": ..., "path": ...} attempts one thing; counters {"result": r, "errno": n}.
[[nodiscard]] std::vector<child::JobEntry> EscapeJobs();
// Memory, disk, stack, time, files: jobs that use too much of something.
[[nodiscard]] std::vector<child::JobEntry> AbuseJobs();
// "engine": {"sql": ...} past the guard; "make_database", "attach_database": a --db file.
[[nodiscard]] std::vector<child::JobEntry> EngineJobs();
// "raw": {"kind": k, "text": payload, ...} writes any frame; "cut": dies after so many bytes of an
// answer.
[[nodiscard]] std::vector<child::JobEntry> FrameJobs();

}  // namespace ducat::worker::probe
