#include "worker/seats.h"

#include <algorithm>
#include <utility>

#include "worker/job_error.h"

namespace ducat::worker {

Seats::Seats(boost::asio::any_io_executor executor, WorkerPaths paths, const PoolLimits& limits,
             Log* log)
    : executor_(std::move(executor)),
      paths_(std::move(paths)),
      limits_(limits),
      log_(log),
      sweep_(executor_) {}

Seats::~Seats() {
  on_change_ = nullptr;
  keep_spare_ = false;
  for (Seat& seat : seats_) {
    seat.process->Kill(KillCause::kRetired);
  }
  // Every one has its SIGKILL by now, so the waits overlap.
  for (const auto& process : std::exchange(ending_, {})) {
    process->KillNow();
  }
  for (const Seat& seat : std::exchange(seats_, {})) {
    seat.process->KillNow();
  }
}

void Seats::KeepSpare() {
  keep_spare_ = true;
  RefillSpare();
}

void Seats::RefillSpare() {
  if (!keep_spare_ || FindSpare() != nullptr) return;
  const Result<Seat*> spare = Start();
  if (!spare && log_ != nullptr) log_->Write(LogLevel::kError, spare.error().message);
}

int Seats::BusyCount() const {
  return static_cast<int>(
      std::count_if(seats_.begin(), seats_.end(), [](const Seat& s) { return s.busy; }));
}

int Seats::BoundCount() const {
  return static_cast<int>(
      std::count_if(seats_.begin(), seats_.end(), [](const Seat& s) { return !s.key.empty(); }));
}

bool Seats::HasRoom(const std::string& session, bool others_wait) const {
  const auto held = std::count_if(seats_.begin(), seats_.end(),
                                  [&](const Seat& s) { return s.busy && s.session == session; });
  // The first job of a session may take one worker more, so that others' long jobs never delay it.
  if (held == 0) return BusyCount() < limits_.workers + 1;
  if (BusyCount() >= limits_.workers) return false;
  return !others_wait || held < std::max(1, limits_.workers - 1);
}

Seat* Seats::FindIdle(const std::string& key) {
  const auto found = std::find_if(seats_.begin(), seats_.end(), [&](const Seat& s) {
    return !s.busy && s.key == key && s.process->alive();
  });
  return found == seats_.end() ? nullptr : &*found;
}

Seat* Seats::FindSpare() {
  return FindIdle(std::string());
}

Result<Seat*> Seats::Take(const std::string& session, const std::string& key) {
  Seat* seat = FindIdle(key);
  if (seat == nullptr) {
    if (BoundCount() >= limits_.workers + (BusyCount() >= limits_.workers ? 1 : 0)) {
      EvictLongestIdle();
    }
    seat = FindSpare();
    if (seat == nullptr) {
      TRY_ASSIGN(seat, Start());
    }
    seat->key = key;
  }
  seat->busy = true;
  seat->session = session;
  return seat;
}

Result<Seat*> Seats::Start() {
  TRY_ASSIGN(auto process, WorkerProcess::Start(executor_, paths_.executable, paths_.temp_root,
                                                [this](WorkerProcess& ended) { OnEnd(ended); }));
  Seat& seat = seats_.emplace_back();
  seat.process = std::move(process);
  return &seat;
}

void Seats::Release(Seat& seat) {
  seat.busy = false;
  seat.session.clear();
  seat.idle_since = std::chrono::steady_clock::now();
  if (seat.retire || !seat.process->alive()) End(seat);
  ScheduleSweep();
  if (on_change_) on_change_();
}

void Seats::End(Seat& seat) {
  const std::shared_ptr<WorkerProcess> process = seat.process;
  seats_.remove_if([&](const Seat& s) { return &s == &seat; });
  process->Kill(KillCause::kRetired);
  // The directory is there until the process has been reaped.
  if (!process->finished()) ending_.push_back(process);
}

void Seats::OnEnd(const WorkerProcess& process) {
  ending_.remove_if([&](const auto& p) { return p.get() == &process; });
  for (Seat& seat : seats_) {
    if (seat.process.get() != &process || seat.busy) continue;
    LogIdleEnd(process);
    End(seat);
    if (on_change_) on_change_();
    return;
  }
}

// Nobody asked it to end: an engine that came apart, a foreign kill, a lock that did not hold.
void Seats::LogIdleEnd(const WorkerProcess& process) const {
  if (log_ == nullptr) return;
  const auto& exit = process.exit();
  const bool signalled = exit && exit->signal != 0;
  log_->Write(LogLevel::kWarning, "an idle worker ended",
              {{"exit", signalled ? SignalName(exit->signal)
                                  : "exit " + std::to_string(exit ? exit->code : -1)},
               {"stderr", process.stderr_tail()}});
}

void Seats::Retire(const std::string& key) {
  std::vector<Seat*> idle;
  for (Seat& seat : seats_) {
    if (seat.key != key) continue;
    seat.retire = true;
    if (!seat.busy) idle.push_back(&seat);
  }
  for (Seat* seat : idle) {
    End(*seat);
  }
}

void Seats::EvictLongestIdle() {
  Seat* oldest = nullptr;
  for (Seat& seat : seats_) {
    if (seat.busy || seat.key.empty()) continue;
    if (oldest == nullptr || seat.idle_since < oldest->idle_since) oldest = &seat;
  }
  if (oldest != nullptr) End(*oldest);
}

// When an idle seat is looked at next: for the last one the longer time counts.
Seat::Time Seats::DueTime(const Seat& seat, Seat::Time now) const {
  const Seat::Time due = seat.idle_since + limits_.idle_timeout;
  return due > now ? due : seat.idle_since + limits_.last_idle_timeout;
}

void Seats::ScheduleSweep() {
  const auto now = std::chrono::steady_clock::now();
  Seat::Time next = Seat::Time::max();
  for (const Seat& seat : seats_) {
    if (!seat.busy && !seat.key.empty()) next = std::min(next, DueTime(seat, now));
  }
  if (next == Seat::Time::max()) return;
  sweep_.expires_at(next);
  sweep_.async_wait(
      [this, living = std::weak_ptr<bool>(living_)](const boost::system::error_code& error) {
        if (!error && !living.expired()) EndIdle();
      });
}

void Seats::EndIdle() {
  const auto now = std::chrono::steady_clock::now();
  std::vector<Seat*> idle;
  for (Seat& seat : seats_) {
    if (!seat.busy && !seat.key.empty() && now - seat.idle_since >= limits_.idle_timeout) {
      idle.push_back(&seat);
    }
  }
  std::sort(idle.begin(), idle.end(),
            [](const Seat* a, const Seat* b) { return a->idle_since < b->idle_since; });
  for (Seat* seat : idle) {
    const bool last = BoundCount() == 1;
    if (!last || now - seat->idle_since >= limits_.last_idle_timeout) End(*seat);
  }
  ScheduleSweep();
}

}  // namespace ducat::worker
