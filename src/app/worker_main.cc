// ducat-worker: the data plane. Lists the jobs of the packs; everything else is worker/child's.

#include "worker/child/run_worker.h"

#if __has_include("packs/analyst/jobs/analyst_jobs.h")
#include "packs/analyst/jobs/analyst_jobs.h"
#endif

int main(int argc, char** argv) {
  std::vector<ducat::worker::child::JobEntry> jobs;
#if __has_include("packs/analyst/jobs/analyst_jobs.h")
  jobs = ducat::analyst::AnalystJobs();
#endif
  return ducat::worker::child::RunWorker(std::move(jobs), argc, argv);
}
