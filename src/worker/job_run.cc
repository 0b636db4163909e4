#include "worker/job_run.h"

#include <algorithm>
#include <csignal>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "worker/catalog_parts.h"
#include "worker/hello_limits.h"
#include "worker/job_error.h"

namespace ducat::worker {
namespace {

using Steady = std::chrono::steady_clock;

// How long an answer waits for the reaping of a process that has its SIGKILL: guard.md 1, P5.
constexpr std::chrono::milliseconds kReapPatience{100};
// The same for one that ends by itself, whose exit status decides the answer.
constexpr std::chrono::milliseconds kExitPatience{1'000};

// So that no sum of times overflows.
constexpr std::chrono::hours kTimeoutMax{24 * 365};

// A worker needs this part of its address space to be free. With the smallest limits one that has
// just started has a seventh.
constexpr uint64_t kRoomShare = 8;

constexpr const char* kStagedName = "/out.tmp";

std::string DescribeExit(const std::optional<WorkerProcess::Exit>& exit) {
  if (!exit) return "no exit status";
  return exit->signal != 0 ? SignalName(exit->signal) : "exit " + std::to_string(exit->code);
}

}  // namespace

JobRun::JobRun(PoolState& pool, const Binding& binding, const JobRequest& request,
               CancelToken cancel, JobProgress progress)
    : pool_(pool),
      binding_(binding),
      request_(request),
      cancel_(std::move(cancel)),
      deadline_(Steady::now() + std::min<Steady::duration>(request.timeout, kTimeoutMax)),
      id_(++pool.last_job),
      exchange_(id_, request, std::move(progress)),
      turn_(pool.executor) {
  waiting_.session = request.session;
  waiting_.key = binding.key();
  waiting_.wakeup = &turn_;
  subscription_ = cancel_.OnCancel([this](CancelCause) {
    turn_.Notify();
    if (process_ != nullptr) process_->wakeup().Notify();
  });
}

JobRun::~JobRun() {
  if (!pool_.seats) return;
  pool_.queue.Remove(waiting_);
  if (waiting_.seat == nullptr) return;
  const std::shared_ptr<WorkerProcess> process = waiting_.seat->process;
  if (sent_) {
    process->EndJob();
    if (!exchange_.done()) process->Kill(KillCause::kCancel);
  }
  pool_.seats->Release(*waiting_.seat);
}

Task<JobResult> JobRun::Run() {
  CO_TRY(CheckTime());
  if (const auto left = pool_.quarantine.TimeLeft(request_.statement)) {
    co_return Failure(Quarantined(*left));
  }
  // A worker may die idle, unseen until the next job comes to it. That job has not been touched, so
  // it goes to another one; a second such end is no accident.
  CO_TRY_ASSIGN(const bool executed, co_await Attempt());
  if (!executed) {
    LeaveSeat();
    CO_TRY_ASSIGN(const bool again, co_await Attempt());
    if (!again) co_return Failure(CrashError());
  }
  co_return Judge();
}

Task<bool> JobRun::Attempt() {
  CO_TRY(co_await WaitForTurn());
  CO_TRY(co_await Prepare());
  co_return co_await Execute();
}

void JobRun::LeaveSeat() {
  Seat* seat = std::exchange(waiting_.seat, nullptr);
  std::exchange(process_, nullptr)->EndJob();
  sent_ = false;
  if (pool_.seats) pool_.seats->Release(*seat);
}

Status JobRun::CheckTime() const {
  if (!pool_.seats) return Failure(Cancelled());
  if (cancel_.cancelled()) return Failure(EndedEarly(cancel_.cause(), request_.timeout));
  if (Steady::now() >= deadline_) return Failure(QueryTimeout(request_.timeout));
  return {};
}

Task<void> JobRun::WaitForTurn() {
  if (pool_.queue.Add(waiting_)) {
    pool_.Dispatch();
  } else if (pool_.seats->HasRoom(waiting_.session, true)) {
    // A full queue of others must not keep out a session that may start at once.
    CO_TRY_ASSIGN(waiting_.seat, pool_.seats->Take(waiting_.session, waiting_.key));
  } else {
    co_return Failure(Overloaded(pool_.queue.size()));
  }
  while (waiting_.seat == nullptr) {
    if (waiting_.failure) co_return Failure(*std::exchange(waiting_.failure, {}));
    CO_TRY(CheckTime());
    co_await turn_.WaitUntil(deadline_);
  }
  if (pool_.seats) process_ = waiting_.seat->process;
  co_return CheckTime();
}

Task<void> JobRun::Prepare() {
  if (!process_->ready()) {
    CO_TRY(co_await Greet());
  }
  pool_.seats->RefillSpare();
  CO_TRY(CheckTime());
  Seat& seat = *waiting_.seat;
  if (seat.catalog_version == binding_.version()) co_return Status{};
  const CatalogDelta delta = binding_.DeltaFrom(seat.catalog_version);
  for (const CatalogDelta& part : SplitDelta(delta)) {
    CO_TRY(process_->SendCatalog(part));
  }
  seat.catalog_version = delta.version;
  co_return Status{};
}

Task<void> JobRun::Greet() {
  const Hello hello = binding_.hello();
  waiting_.seat->address_space_bytes = AddressSpaceBytes(hello);
  if (!process_->greeted()) {
    CO_TRY(process_->SendHello(hello));
  }
  const Time limit =
      std::min(Steady::now() + pool_.limits.ready_timeout, deadline_ + pool_.limits.grace);
  while (!process_->ready() && !process_->refusal() && process_->stream_open()) {
    if (Steady::now() >= limit) process_->Kill(KillCause::kReady);
    co_await process_->wakeup().WaitUntil(limit);
    if (!pool_.seats) co_return Failure(Cancelled());
  }
  if (process_->ready()) {
    pool_.last_ready = process_->ready();
    co_return Status{};
  }
  co_await WaitForReaping(Steady::now() + kExitPatience);
  if (!pool_.seats) co_return Failure(Cancelled());
  Error error = StartError();
  LogEnd(error);
  co_return Failure(std::move(error));
}

Status JobRun::SendJob() {
  unlink(StagedPath().c_str());
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Steady::now());
  const JobOrder order{.name = request_.name,
                       .arguments = {.json = request_.arguments},
                       .deadline_ms = std::max<int64_t>(1, left.count())};
  TRY(process_->SendJob(id_, order, exchange_));
  sent_ = true;
  ++waiting_.seat->jobs;
  return {};
}

Task<void> JobRun::WaitForEnd() {
  Time kill_at = deadline_ + pool_.limits.grace;
  bool cancel_sent = false;
  while (!exchange_.done() && process_->stream_open()) {
    if (cancel_.cancelled() && !std::exchange(cancel_sent, true)) {
      process_->SendCancel(id_);
      kill_at = std::min(kill_at, Steady::now() + pool_.limits.grace);
    }
    if (Steady::now() >= kill_at) {
      process_->Kill(cancel_sent ? KillCause::kCancel : KillCause::kDeadline);
      break;
    }
    co_await process_->wakeup().WaitUntil(kill_at);
    if (!pool_.seats) co_return Failure(Cancelled());
  }
  co_return Status{};
}

Task<bool> JobRun::Execute() {
  CO_TRY(SendJob());
  CO_TRY(co_await WaitForEnd());
  if (exchange_.done()) co_return true;
  const bool killed = process_->kill_cause() != KillCause::kNone;
  const bool untouched = !killed && !exchange_.started();
  const auto patience = killed || untouched ? kReapPatience : kExitPatience;
  co_await WaitForReaping(Steady::now() + patience);
  if (!pool_.seats) co_return Failure(Cancelled());
  if (untouched) {
    LogEnd(WorkerCrashed("before it began the job"));
    co_return false;
  }
  Error error = CrashError();
  LogEnd(error);
  co_return Failure(std::move(error));
}

boost::asio::awaitable<void> JobRun::WaitForReaping(Time limit) {
  while (!process_->finished() && Steady::now() < limit) {
    co_await process_->wakeup().WaitUntil(limit);
  }
}

Result<JobResult> JobRun::Judge() {
  const JobEnd& end = exchange_.end();
  Seat& seat = *waiting_.seat;
  seat.retire = seat.retire || end.retire || UsedUp(end);
  if (!end.error) {
    JobResult result = exchange_.TakeResult();
    struct stat status{};
    if (lstat(StagedPath().c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      result.staged_file = StagedPath();
    }
    return result;
  }
  if (end.retire) LogEnd(ToError(*end.error));
  const std::string& reason = end.error->reason;
  if (reason == "query_timeout" || reason == "cancelled") {
    const CancelCause cause = reason == "cancelled" ? cancel_.cause() : CancelCause::kDeadline;
    return Failure(EndedEarly(cause, request_.timeout));
  }
  return Failure(ToError(*end.error));
}

bool JobRun::UsedUp(const JobEnd& end) const {
  // What the job could not get, the next one would not get either: the engine and the allocator
  // keep the address space that they took.
  if (end.error && end.error->reason == "memory_limit") return true;
  const Seat& seat = *waiting_.seat;
  const MemoryUse use = process_->memory();
  const uint64_t room = use.mapped_max / kRoomShare;
  return seat.jobs >= pool_.limits.jobs_per_worker_max ||
         use.resident > seat.address_space_bytes / 2 ||
         (use.mapped_max > 0 && use.mapped + room > use.mapped_max);
}

Error JobRun::StartError() const {
  if (process_->refusal()) {
    const Error& refusal = *process_->refusal();
    if (refusal.reason.starts_with("engine_")) return refusal;
    // Its message names layers and paths: for the log.
    return WorkerUnavailable(refusal.reason == "sandbox_missing"
                                 ? refusal.message
                                 : "A worker could not confine itself.");
  }
  if (process_->kill_cause() == KillCause::kReady) {
    if (Steady::now() >= deadline_) return QueryTimeout(request_.timeout);
    return WorkerUnavailable("A worker did not become ready within " +
                             std::to_string(pool_.limits.ready_timeout.count()) + " ms.");
  }
  return WorkerUnavailable("A worker ended before it was ready (" + DescribeExit(process_->exit()) +
                           ").");
}

Error JobRun::CrashError() {
  const KillCause cause = process_->kill_cause();
  if (cause == KillCause::kCancel) return EndedEarly(cancel_.cause(), request_.timeout);
  if (exchange_.started()) pool_.quarantine.RecordKill(request_.statement);
  switch (cause) {
    case KillCause::kDeadline:
      return QueryTimeout(request_.timeout);
    case KillCause::kFrame:
      return WorkerCrashed("frame");
    case KillCause::kConnection:
      return WorkerCrashed("connection closed");
    case KillCause::kNone:
    case KillCause::kCancel:
    case KillCause::kReady:
    case KillCause::kRetired:
      break;
  }
  const auto& exit = process_->exit();
  if (exit && exit->signal == SIGKILL && process_->MayBeOutOfMemory()) return MemoryLimit();
  if (exit && exit->signal == SIGXFSZ) return TempLimit();
  return WorkerCrashed(DescribeExit(exit));
}

void JobRun::LogEnd(const Error& error) const {
  if (pool_.log == nullptr) return;
  // A worker that asks to be replaced ends later, and only a defect is worth a warning.
  const bool ended = process_->finished() || process_->kill_cause() != KillCause::kNone;
  const bool expected = !ended && error.code != ErrorCode::kInternal;
  pool_.log->Write(expected ? LogLevel::kInfo : LogLevel::kWarning,
                   ended ? "a worker ended early" : "a worker is replaced",
                   {{"reason", error.reason},
                    {"detail", process_->refusal() ? process_->refusal()->message : error.message},
                    {"job", request_.name},
                    {"exit", ended ? DescribeExit(process_->exit()) : ""},
                    {"frame", process_->frame_fault()},
                    {"stderr", process_->stderr_tail()}});
}

std::string JobRun::StagedPath() const {
  return process_->private_path() + kStagedName;
}

}  // namespace ducat::worker
