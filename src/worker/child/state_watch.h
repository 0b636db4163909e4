#pragma once
// StateWatch: whether a job has left the engine as it found it (guard.md 5): the settings of the
// lock, an empty temp schema, no object but the views of the catalog. Asked after every job, when
// its answer is out; a worker in which something has changed ends itself. Job thread only.

#include <cstdint>
#include <string>

#include "worker/child/engine/connection.h"

namespace ducat::worker::child {

class MountedCatalog;

class StateWatch {
 public:
  // What it finds now is what must stay; both outlive it.
  StateWatch(engine::Connection& connection, const MountedCatalog& catalog);

  // What has changed since the last call, in words for the log; empty when nothing has. Mounts made
  // by the catalog itself are no change.
  [[nodiscard]] std::string FindChange();

 private:
  engine::Connection& connection_;
  const MountedCatalog& catalog_;
  engine::EngineResult<engine::Connection::State> expected_;
  uint64_t mounts_ = 0;
};

}  // namespace ducat::worker::child
