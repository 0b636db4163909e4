#include "worker/child/confine/confine.h"

#include <cerrno>
#include <fcntl.h>
#include <linux/close_range.h>
#include <system_error>
#include <unistd.h>

#include "worker/child/confine/landlock.h"
#include "worker/child/confine/process_limits.h"
#include "worker/child/confine/seccomp_filter.h"
#include "worker/sandbox_support.h"

namespace ducat::worker::child {
namespace {

// stdin, stdout, stderr and the socket stay.
constexpr unsigned kFirstOtherFd = 4;
constexpr int kFdsMax = 65'536;

void CloseOtherFds() {
  if (close_range(kFirstOtherFd, ~0U, 0) == 0) return;
  // Kernels before 5.9.
  for (int fd = kFirstOtherFd; fd < kFdsMax; ++fd) {
    close(fd);
  }
}

LandlockRules Rules(const Hello& hello) {
  LandlockRules rules;
  for (const std::string& path : {hello.data_dir, hello.db_file, hello.tables_dir}) {
    if (!path.empty()) rules.readable.push_back(path);
  }
  // The engine's write-ahead log beside a database file may not be there.
  if (!hello.db_file.empty()) rules.readable_if_there.push_back(hello.db_file + ".wal");
  rules.writable.push_back(hello.private_dir);
  for (const char* path : {"/proc/self", "/sys/fs/cgroup", "/usr/share/zoneinfo"}) {
    rules.readable_if_there.emplace_back(path);
  }
  return rules;
}

// The engine names files as it was told to open them: relative ones show nobody's folders.
Status StandInDataDirectory(const Hello& hello) {
  if (hello.data_dir.empty() || chdir(hello.data_dir.c_str()) == 0) return {};
  return Fail(ErrorCode::kInternal, "sandbox_failed",
              "chdir to the data directory: " + std::generic_category().message(errno));
}

Status ApplyLandlock(const Hello& hello, Cage& cage) {
  const int abi = ProbeSandbox().landlock_abi;
  if (abi == 0) {
    cage.missing.emplace_back("landlock");
    if (hello.sandbox != Sandbox::kStrict) return {};
    return Fail(ErrorCode::kFailedPrecondition, "sandbox_missing",
                "This kernel has no Landlock, which --sandbox=strict requires.",
                "Use a kernel of 5.13 or later with Landlock switched on, or "
                "--sandbox=best-effort.");
  }
  TRY(RestrictFiles(Rules(hello), abi));
  cage.landlock_abi = abi;
  return {};
}

}  // namespace

Result<Cage> Confine(const Hello& hello) {
  Cage cage;
  CloseOtherFds();
  TRY(LimitResources(hello));
  TRY(RefuseNewPrivileges());
  const pid_t parent = getppid();
  cage.namespaces = EnterNamespaces();
  // A change of credentials may have undone it.
  if (!TieToParent(parent)) return Fail(ErrorCode::kInternal, "sandbox_failed", "parent is gone");
  TRY(StandInDataDirectory(hello));
  TRY(ApplyLandlock(hello, cage));
  TRY(LoadSeccompFilter());
  return cage;
}

}  // namespace ducat::worker::child
