#include "worker/job_queue.h"

#include <algorithm>
#include <utility>

namespace ducat::worker {

bool JobQueue::Add(WaitingJob& job) {
  if (size_ == waiting_max_) return false;
  auto session = std::find_if(sessions_.begin(), sessions_.end(),
                              [&](const Session& s) { return s.name == job.session; });
  if (session == sessions_.end()) {
    session = sessions_.insert(sessions_.end(), Session{.name = job.session, .jobs = {}});
  }
  if (session->jobs.size() == session_waiting_max_) return false;
  session->jobs.push_back(&job);
  ++size_;
  return true;
}

void JobQueue::Remove(const WaitingJob& job) {
  for (auto session = sessions_.begin(); session != sessions_.end(); ++session) {
    const auto found = std::find(session->jobs.begin(), session->jobs.end(), &job);
    if (found == session->jobs.end()) continue;
    session->jobs.erase(found);
    --size_;
    if (session->jobs.empty()) sessions_.erase(session);
    return;
  }
}

WaitingJob* JobQueue::TakeFirst(const std::function<bool(const WaitingJob&)>& fits) {
  for (auto session = sessions_.begin(); session != sessions_.end(); ++session) {
    WaitingJob* job = session->jobs.front();
    if (!fits(*job)) continue;
    session->jobs.pop_front();
    --size_;
    if (session->jobs.empty()) {
      sessions_.erase(session);
    } else {
      sessions_.splice(sessions_.end(), sessions_, session);
    }
    return job;
  }
  return nullptr;
}

bool JobQueue::HasOtherThan(const std::string& session) const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [&](const Session& s) { return s.name != session; });
}

}  // namespace ducat::worker
