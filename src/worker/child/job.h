#pragma once
// A job: a plain function that runs inside ducat-worker, one at a time, on the job thread. Unit
// tests call it without a process, with an Output of their own. Lists of jobs are assembled in
// worker_main.cc.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "json/view.h"
#include "worker/hello.h"

namespace ducat::engine {
class Connection;
}
namespace ducat::guard {
class Guard;
}

namespace ducat::worker::child {

class MountedCatalog;  // worker/child/mounted_catalog.h: tables as the engine sees them

// Where a job's answer goes; frames in the worker, strings in tests. Pieces of any size may be
// given.
class Output {
 public:
  virtual ~Output() = default;
  virtual void Progress(double done, double total, std::string_view text) = 0;
  virtual Status Meta(std::string_view json_object) = 0;  // at most once, before rows and text
  virtual Status Rows(
      std::string_view bytes) = 0;  // "[1],[2]" then ",[3]" ...: array body in pieces
  virtual Status Text(std::string_view escaped) = 0;  // inside of a JSON string, in pieces
};

struct JobContext {
  const Hello& hello;
  engine::Connection& connection;
  MountedCatalog& catalog;
  Output& output;
  // True once the deadline passed or the client cancelled: long loops of our own ask it.
  const std::function<bool()>& interrupted;
  // One per worker, so that its cache serves all jobs that run a caller's SQL.
  guard::Guard& guard;
};

// Gives the counters of DONE as a JSON object.
using JobFunction = std::function<Result<std::string>(JobContext& context, json::View arguments)>;

struct JobEntry {
  std::string_view name;
  JobFunction run;
};

}  // namespace ducat::worker::child
