// A worker for tests: confined and run like ducat-worker, with jobs that misbehave on purpose.

#include <utility>
#include <vector>

#include "probe_worker/probe_jobs.h"
#include "worker/child/run_worker.h"

int main(int argc, char** argv) {
  namespace child = ducat::worker::child;
  namespace probe = ducat::worker::probe;
  std::vector<child::JobEntry> jobs = probe::EscapeJobs();
  for (auto group : {probe::AbuseJobs(), probe::EngineJobs(), probe::FrameJobs()}) {
    jobs.insert(jobs.end(), group.begin(), group.end());
  }
  return child::RunWorker(std::move(jobs), argc, argv);
}
