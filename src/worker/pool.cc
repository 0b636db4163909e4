#include "worker/pool.h"

#include <utility>

#include "worker/job_run.h"
#include "worker/pool_state.h"

namespace ducat::worker {

struct Pool::Impl : PoolState {
  using PoolState::PoolState;
};

Pool::Pool(boost::asio::any_io_executor executor, const Clock& clock, WorkerPaths paths,
           PoolLimits limits, Log* log)
    : impl_(std::make_shared<Impl>(std::move(executor), clock, std::move(paths), limits, log)) {}

Pool::~Pool() {
  impl_->Close();
}

void Pool::StartSpare() {
  impl_->seats->KeepSpare();
}

namespace {

Task<JobResult> RunJob(std::shared_ptr<PoolState> pool, std::shared_ptr<const Binding> binding,
                       JobRequest request, CancelToken cancel, JobProgress progress) {
  JobRun run(*pool, *binding, request, std::move(cancel), std::move(progress));
  co_return co_await run.Run();
}

}  // namespace

Task<JobResult> Pool::Run(std::shared_ptr<const Binding> binding, JobRequest request,
                          CancelToken cancel, JobProgress progress) {
  // Not a coroutine itself: the call may start after the pool is gone, so it holds the state.
  return RunJob(impl_, std::move(binding), std::move(request), std::move(cancel),
                std::move(progress));
}

void Pool::Retire(const std::string& key) {
  impl_->seats->Retire(key);
}

size_t Pool::waiting() const {
  return impl_->queue.size();
}

const Ready* Pool::last_ready() const {
  return impl_->last_ready ? &*impl_->last_ready : nullptr;
}

}  // namespace ducat::worker
