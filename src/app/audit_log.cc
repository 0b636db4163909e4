#include "app/audit_log.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "base/digest.h"
#include "base/text.h"
#include "json/writer.h"

namespace ducat::app {
namespace {

constexpr size_t kSessionDigits = 16;

off_t SizeOf(int descriptor) {
  struct stat status{};
  return ::fstat(descriptor, &status) == 0 ? status.st_size : 0;
}

std::string SystemMessage(int number) {
  return std::generic_category().message(number);
}

Error Unusable(const std::string& path, const std::string& why) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
              "--audit-log \"" + path + "\": " + why,
              "Name a file that this user may write, or a new one in a folder that exists.")
      .value();
}

// What an earlier writer left unfinished must not take our first line with it.
void EndLastLine(const std::string& path, int descriptor, off_t size) {
  const int reader = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (reader < 0) return;
  char last = '\n';
  const bool is_open = size > 0 && ::pread(reader, &last, 1, size - 1) == 1 && last != '\n';
  ::close(reader);
  // A full disk is told with the first line.
  if (is_open) static_cast<void>(::write(descriptor, "\n", 1));
}

// O_NONBLOCK: a FIFO without a reader must not hold the start.
Result<int> OpenFile(const std::string& path) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
  if (descriptor < 0) return Failure(Unusable(path, SystemMessage(errno)));
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return Failure(Unusable(path, "it is no regular file"));
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    ::close(descriptor);
    return Failure(Unusable(path, "others may write it: chmod 600 it"));
  }
  EndLastLine(path, descriptor, status.st_size);
  return descriptor;
}

}  // namespace

Result<std::unique_ptr<AuditLog>> AuditLog::Open(const Clock& clock, AuditOptions options) {
  TRY_ASSIGN(const int descriptor, OpenFile(options.path));
  // A file at the process's size limit is one that takes nothing, not the end of the process. Not
  // ignored: workers would inherit that, and their end by this signal is what tells of their limit.
  std::signal(SIGXFSZ, [](int) {});
  return std::unique_ptr<AuditLog>(new AuditLog(clock, std::move(options), descriptor));
}

AuditLog::AuditLog(const Clock& clock, AuditOptions options, int descriptor)
    : clock_(clock), options_(std::move(options)), descriptor_(descriptor) {}

AuditLog::~AuditLog() {
  ::close(descriptor_);
}

Status AuditLog::Reopen() {
  TRY_ASSIGN(const int descriptor, OpenFile(options_.path));
  (void)CatchUp();  // what is cut belongs to the old file
  if (!cut_.empty()) {
    cut_.clear();
    ++lost_;
  }
  ::close(std::exchange(descriptor_, descriptor));
  return {};
}

Status AuditLog::MayBegin() {
  if (!options_.required || (cut_.empty() && lost_ == 0) || CatchUp()) return {};
  return Fail(ErrorCode::kUnavailable, "audit_unavailable",
              "Calls are refused: the audit log cannot be written, and it is required.",
              "Tell the operator of this server; try again later.");
}

void AuditLog::Ended(const mcp::CallRecord& record) {
  if (!CatchUp() || !Append(Line(record))) ++lost_;
}

bool AuditLog::CatchUp() {
  // The file was emptied meanwhile: the start of what was cut is gone.
  if (!cut_.empty() && SizeOf(descriptor_) < size_when_cut_) {
    cut_.clear();
    ++lost_;
  }
  if (!cut_.empty() && !Append({})) return false;
  if (lost_ == 0) return true;
  if (!Append(LossLine())) return false;
  lost_ = 0;
  return true;
}

// False: nothing of `line` was written. A line that was begun counts; its rest is cut_.
bool AuditLog::Append(std::string_view line) {
  const std::string bytes = cut_ + std::string(line);
  const ssize_t result = ::write(descriptor_, bytes.data(), bytes.size());
  const size_t written = result < 0 ? 0 : static_cast<size_t>(result);
  const bool is_begun = written > cut_.size();
  const std::string why = result < 0 ? SystemMessage(errno) : "there is no room";
  cut_ = is_begun ? bytes.substr(written) : cut_.substr(written);
  if (written == bytes.size()) return true;
  size_when_cut_ = SizeOf(descriptor_);
  if (options_.on_failure) {
    options_.on_failure(Fail(ErrorCode::kUnavailable, "audit_unavailable",
                             "the audit log \"" + options_.path + "\" cannot be written: " + why)
                            .value());
  }
  return is_begun;
}

std::string AuditLog::LossLine() const {
  std::string line;
  json::JsonWriter writer(line);
  writer.BeginObject();
  writer.Field("kind", "lost");
  writer.Field("ts", Iso8601Utc(clock_.Wall()));
  writer.Field("lines", static_cast<int64_t>(lost_));
  writer.EndObject();
  return line + "\n";
}

std::string AuditLog::Line(const mcp::CallRecord& record) const {
  const auto digest = [this](std::string_view text) {
    return Hex(options_.key.empty() ? Sha256(text) : HmacSha256(options_.key, text));
  };
  std::string line;
  json::JsonWriter writer(line);
  writer.BeginObject();
  writer.Field("kind", "call");
  writer.Field("ts", Iso8601Utc(clock_.Wall()));
  writer.Field("rid", record.request_id);
  writer.Field("principal", record.principal);
  writer.Field("tenant", record.tenant);
  writer.Field("transport", record.transport);
  if (!record.remote.empty()) writer.Field("remote", record.remote);
  if (!record.session.empty()) {
    writer.Field("session", digest(record.session).substr(0, kSessionDigits));
  }
  if (!record.trace.empty()) writer.Field("trace", record.trace);
  writer.Field("method", mcp::Name(record.method));
  writer.Field("tool", record.target);
  writer.Field("args_sha256", digest(record.arguments));
  writer.Field("args_bytes", static_cast<int64_t>(record.arguments.size()));
  writer.Field("ms", static_cast<int64_t>(record.took.count() / 1'000));
  writer.Field("outcome", record.outcome);
  if (record.code != 0) writer.Field("code", static_cast<int64_t>(record.code));
  if (!record.reason.empty()) writer.Field("reason", record.reason);
  if (record.rows) writer.Field("rows", *record.rows);
  writer.Field("bytes", static_cast<int64_t>(record.bytes));
  writer.EndObject();
  return line + "\n";
}

}  // namespace ducat::app
