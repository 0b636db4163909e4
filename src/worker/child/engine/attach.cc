#include <array>
#include <chrono>
#include <thread>

#include "worker/child/engine/session.h"

namespace ducat::engine {
namespace {

using std::chrono::milliseconds;
constexpr std::array kRetryAfter{milliseconds(50), milliseconds(100), milliseconds(200)};

bool IsLocked(const EngineError& error) {
  return error.type == "IO" && error.message.find("Could not set lock") != std::string::npos;
}

// "... Conflicting lock is held in /usr/bin/x (PID 123) ...": the pid, when the engine tells it.
std::string HolderPid(const EngineError& error) {
  constexpr std::string_view kMark = "PID ";
  const size_t start = error.message.find(kMark);
  if (start == std::string::npos) return {};
  const size_t digits = start + kMark.size();
  const size_t end = error.message.find_first_not_of("0123456789", digits);
  return error.message.substr(digits, end == std::string::npos ? end : end - digits);
}

Failure AttachFailed(const EngineError& error) {
  if (IsLocked(error)) {
    const std::string pid = HolderPid(error);
    return Fail(ErrorCode::kFailedPrecondition, "database_locked",
                "the database file is held by another process" +
                    (pid.empty() ? std::string() : " (pid " + pid + ")"),
                "Close the writer, or try again later; tables from files work meanwhile.");
  }
  return Fail(ErrorCode::kFailedPrecondition, "database_invalid",
              "the database file cannot be opened by engine " + std::string(RequiredVersion()),
              "Check that --db names a DuckDB file that this version can read.");
}

}  // namespace

Status Connection::AttachDatabase() {
  DatabaseState& database = impl_->database;
  if (database.is_attached) return {};
  if (database.db_file.empty()) {
    return Fail(ErrorCode::kFailedPrecondition, "database_invalid", "no database file is in use",
                "Start the server with --db FILE.");
  }
  const std::string sql = "ATTACH " + QuoteText(database.db_file) + " AS db (READ_ONLY)";
  auto attached = Run(sql);
  for (const milliseconds wait : kRetryAfter) {
    if (attached.has_value() || !IsLocked(attached.error())) break;
    std::this_thread::sleep_for(wait);
    attached = Run(sql);
  }
  if (!attached.has_value()) return AttachFailed(attached.error());
  database.is_attached = true;
  return {};
}

void Connection::DetachDatabase() {
  DatabaseState& database = impl_->database;
  if (!database.is_attached) return;
  if (Run("DETACH db").has_value()) database.is_attached = false;
}

bool Connection::database_attached() const {
  return impl_->database.is_attached;
}

}  // namespace ducat::engine
