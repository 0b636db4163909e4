#pragma once
// Tasks: calls that outlive their answer (protocol.md 13.1), kept in memory until their time to
// live is over; a restart forgets them. Knows owners, states and limits; running and telling the
// client is the server's. Owned by the server; control thread only.

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "json/writer.h"
#include "mcp/limits.h"
#include "mcp/scopes.h"
#include "mcp/timer_queue.h"

namespace ducat::mcp {

struct Request;

enum class TaskStatus : uint8_t { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

inline constexpr size_t kTaskStatuses = 5;

[[nodiscard]] std::string_view Name(TaskStatus status);

struct TaskRecord {
  std::string id;  // 128 random bits
  std::string principal;
  Scopes scopes;  // that its tool needs, also to read its result
  WallTime created_at;
  WallTime updated_at;
  TaskStatus status = TaskStatus::kWorking;
  std::string message;             // how far it is
  std::string outcome;             // completed: its result, failed: its error, as JSON
  std::weak_ptr<Request> request;  // what runs
  bool tell_due = false;           // listeners will hear of a change

  [[nodiscard]] bool over() const { return status >= TaskStatus::kCompleted; }
};

class Tasks {
 public:
  explicit Tasks(const Limits& limits) : limits_(limits) {}

  [[nodiscard]] bool HasRoom(std::string_view principal) const;
  // Null without room.
  [[nodiscard]] std::shared_ptr<TaskRecord> Create(std::string_view principal, WallTime now);
  // Null for what is unknown, also when it is somebody else's.
  [[nodiscard]] std::shared_ptr<TaskRecord> Find(std::string_view id,
                                                 std::string_view principal) const;
  // Ends it once; the outcome is kept.
  void Settle(TaskRecord& task, TaskStatus status, std::string outcome, WallTime now);
  void Forget(const std::string& id);

  [[nodiscard]] std::vector<std::shared_ptr<TaskRecord>> Running() const;
  [[nodiscard]] size_t size() const { return tasks_.size(); }
  // How many there are of each status, in the order of the enum.
  [[nodiscard]] std::array<size_t, kTaskStatuses> Counts() const;

  // The members that every form of a task has.
  void Append(const TaskRecord& task, json::JsonWriter& out) const;

 private:
  const Limits& limits_;
  std::map<std::string, std::shared_ptr<TaskRecord>, std::less<>> tasks_;
  std::map<std::string, size_t, std::less<>> per_principal_;  // none: no entry
  size_t result_bytes_ = 0;
};

}  // namespace ducat::mcp
