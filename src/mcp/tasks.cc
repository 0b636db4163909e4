#include "mcp/tasks.h"

#include <array>
#include <utility>

#include "base/ids.h"
#include "base/text.h"

namespace ducat::mcp {
namespace {

constexpr int64_t kPollIntervalMs = 1'000;

std::string NewTaskId() {
  std::array<uint8_t, 16> bytes{};
  FillRandom(bytes);
  return Base64UrlEncode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

std::string_view Name(TaskStatus status) {
  constexpr std::array<std::string_view, 5> kNames{"working", "input_required", "completed",
                                                   "failed", "cancelled"};
  return kNames[static_cast<size_t>(status)];
}

bool Tasks::HasRoom(std::string_view principal) const {
  const auto own = per_principal_.find(principal);
  return tasks_.size() < limits_.tasks_max && result_bytes_ < limits_.task_results_bytes_max &&
         (own == per_principal_.end() || own->second < limits_.tasks_per_principal_max);
}

std::shared_ptr<TaskRecord> Tasks::Create(std::string_view principal, WallTime now) {
  if (!HasRoom(principal)) return nullptr;
  auto task = std::make_shared<TaskRecord>();
  task->id = NewTaskId();
  task->principal = principal;
  task->created_at = task->updated_at = now;
  ++per_principal_[task->principal];
  tasks_.emplace(task->id, task);
  return task;
}

std::shared_ptr<TaskRecord> Tasks::Find(std::string_view id, std::string_view principal) const {
  const auto found = tasks_.find(id);
  if (found == tasks_.end() || found->second->principal != principal) return nullptr;
  return found->second;
}

void Tasks::Settle(TaskRecord& task, TaskStatus status, std::string outcome, WallTime now) {
  if (task.over()) return;
  task.status = status;
  task.updated_at = now;
  task.outcome = std::move(outcome);
  result_bytes_ += task.outcome.size();
}

void Tasks::Forget(const std::string& id) {
  const auto found = tasks_.find(id);
  if (found == tasks_.end()) return;
  result_bytes_ -= found->second->outcome.size();
  const auto own = per_principal_.find(found->second->principal);
  if (--own->second == 0) per_principal_.erase(own);
  tasks_.erase(found);
}

std::vector<std::shared_ptr<TaskRecord>> Tasks::Running() const {
  std::vector<std::shared_ptr<TaskRecord>> running;
  for (const auto& [id, task] : tasks_) {
    if (!task->over()) running.push_back(task);
  }
  return running;
}

std::array<size_t, kTaskStatuses> Tasks::Counts() const {
  std::array<size_t, kTaskStatuses> counts{};
  for (const auto& [id, task] : tasks_) {
    ++counts[static_cast<size_t>(task->status)];
  }
  return counts;
}

void Tasks::Append(const TaskRecord& task, json::JsonWriter& out) const {
  out.Field("taskId", task.id);
  out.Field("status", Name(task.status));
  if (!task.message.empty()) out.Field("statusMessage", task.message);
  out.Field("createdAt", Iso8601UtcMillis(task.created_at));
  out.Field("lastUpdatedAt", Iso8601UtcMillis(task.updated_at));
  out.Field("ttlMs", int64_t{limits_.task_ttl.count()});
  out.Field("pollIntervalMs", kPollIntervalMs);
}

}  // namespace ducat::mcp
