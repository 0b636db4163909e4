#pragma once
// AuditLog: a line of JSON for every tool call, resource read and prompt (protocol.md 15), in a
// file that is only ever appended to, one write a line. A write that fails never stops a call by
// itself: it is told to `on_failure`, what was cut is completed first as soon as the file takes
// bytes again, and a line tells how many were lost. With `required`, calls are refused for as long
// as the file takes nothing. Owned by the app; control thread only.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <sys/types.h>

#include "base/clock.h"
#include "base/result.h"
#include "mcp/call_record.h"

namespace ducat::app {

struct AuditOptions {
  std::string path;
  std::string key;  // arguments are digested with HMAC under it; empty: plain SHA-256
  bool required = false;
  std::function<void(const Error&)> on_failure;
};

class AuditLog final : public mcp::CallObserver {
 public:
  // Makes the file with mode 0600 when there is none. Fails with "invalid_setting", also for what
  // is no regular file.
  [[nodiscard]] static Result<std::unique_ptr<AuditLog>> Open(const Clock& clock,
                                                              AuditOptions options);
  ~AuditLog() override;
  AuditLog(const AuditLog&) = delete;
  AuditLog& operator=(const AuditLog&) = delete;

  // After a rotation: the path's new file. A failure keeps the old one.
  [[nodiscard]] Status Reopen();

  [[nodiscard]] bool wants_arguments() const override { return true; }
  [[nodiscard]] Status MayBegin() override;
  void Ended(const mcp::CallRecord& record) override;

 private:
  AuditLog(const Clock& clock, AuditOptions options, int descriptor);
  [[nodiscard]] std::string Line(const mcp::CallRecord& record) const;
  [[nodiscard]] std::string LossLine() const;
  // Writes what an earlier failure left. True: the file takes bytes.
  [[nodiscard]] bool CatchUp();
  [[nodiscard]] bool Append(std::string_view line);

  const Clock& clock_;
  AuditOptions options_;
  int descriptor_;
  std::string cut_;  // the rest of a line of which a part was written
  off_t size_when_cut_ = 0;
  uint64_t lost_ = 0;  // lines of which nothing was written
};

}  // namespace ducat::app
