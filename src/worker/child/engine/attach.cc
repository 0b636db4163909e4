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

// A worker's rights are those to the files that were there at its start.
bool IsForbidden(const EngineError& error) {
  return error.message.find("Permission denied") != std::string::npos;
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

// What the engine says of a file that it cannot open, in our words: its own name the path.
std::string WhyInvalid(const EngineError& error) {
  const auto says = [&error](std::string_view part) {
    return error.message.find(part) != std::string::npos;
  };
  if (says("version number")) return "The database file was made by another version of the engine";
  if (says("not a valid DuckDB")) return "The database file is no DuckDB database";
  if (says("checksum") || says("Could not read enough bytes") || says("Corrupt")) {
    return "The database file is damaged";
  }
  return "The database file cannot be opened";
}

Failure AttachFailed(const EngineError& error) {
  if (IsLocked(error)) {
    const std::string pid = HolderPid(error);
    return Fail(ErrorCode::kFailedPrecondition, "database_locked",
                "The database file is held by another process" +
                    (pid.empty() ? std::string() : " (pid " + pid + ")") + ".",
                "Close the writer, or try again later; tables from files work meanwhile.");
  }
  if (IsForbidden(error)) {
    return Fail(ErrorCode::kFailedPrecondition, "database_invalid",
                "The database file, or the log beside it, is newer than this worker.",
                "Call again: the next call gets a new worker.");
  }
  return Fail(ErrorCode::kFailedPrecondition, "database_invalid", WhyInvalid(error) + ".",
              "Start the server with --db FILE, a database that engine " +
                  std::string(RequiredVersion()) + " can read; tables from files work meanwhile.");
}

}  // namespace

Status Connection::AttachDatabase() {
  DatabaseState& database = impl_->database;
  if (database.is_attached) return {};
  if (database.db_file.empty()) {
    return Fail(ErrorCode::kFailedPrecondition, "database_invalid", "No database file is in use.",
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
