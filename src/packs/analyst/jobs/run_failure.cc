#include "packs/analyst/jobs/run_failure.h"

#include <string>

namespace ducat::analyst {
namespace {

constexpr std::string_view kTooMuch = "Ask for fewer columns, or use sample_rows.";

Error Make(ErrorCode code, std::string reason, std::string message, std::string_view hint) {
  return Error{.code = code,
               .reason = std::move(reason),
               .message = std::move(message),
               .hint = std::string(hint)};
}

bool Mentions(const engine::EngineError& error, std::string_view part) {
  return error.message.find(part) != std::string::npos;
}

}  // namespace

Error RunFailure(const engine::EngineError& error, std::string_view table) {
  const std::string name = "\"" + std::string(table) + "\"";
  if (error.type == "Interrupt") {
    return Make(ErrorCode::kDeadlineExceeded, "query_timeout",
                "Reading " + name + " did not end before the deadline", kTooMuch);
  }
  if (Mentions(error, "max_temp_directory_size")) {
    return Make(ErrorCode::kResourceExhausted, "temp_limit",
                "Reading " + name + " needs more temporary space than --temp-limit", kTooMuch);
  }
  if (error.type == "Out of Memory") {
    return Make(ErrorCode::kResourceExhausted, "memory_limit",
                "Reading " + name + " needs more memory than --memory-limit", kTooMuch);
  }
  if (error.type == "INTERNAL" || error.type == "FATAL") {
    return Make(ErrorCode::kInternal, "internal_error", name + ": " + error.message, "");
  }
  // A file that went away or was damaged since it was mounted, or a view of --db that fails.
  return Make(ErrorCode::kFailedPrecondition, "table_unreadable", name + " cannot be read",
              "Use list_tables to see its state; other tables work.");
}

}  // namespace ducat::analyst
