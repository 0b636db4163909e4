#include "worker/child/confine/process_limits.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

#include "worker/hello_limits.h"

namespace ducat::worker::child {
namespace {

constexpr rlim_t kOpenFilesMax = 4'096;
constexpr rlim_t kStackBytes = rlim_t{8} << 20;

Failure LimitFailed(const std::string& what, int error) {
  return Fail(ErrorCode::kInternal, "sandbox_failed",
              what + ": " + std::generic_category().message(error));
}

// Lowers soft and hard limit; one that is lower already stays.
Status Lower(__rlimit_resource resource, const char* name, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return LimitFailed(name, errno);
  const rlim_t lowered = limit.rlim_max < value ? limit.rlim_max : value;
  limit = {.rlim_cur = lowered, .rlim_max = lowered};
  if (setrlimit(resource, &limit) != 0) return LimitFailed(name, errno);
  return {};
}

// Threads get the stack that the main thread may grow to, whatever the limit was when libc read it.
Status SetThreadStacks() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const int error = pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
  if (error != 0) return LimitFailed("thread stacks", error);
  return {};
}

}  // namespace

bool TieToParent(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  // The parent may have died before the first call.
  return getppid() == parent;
}

Status LimitResources(const Hello& hello) {
#ifndef DUCAT_SANITIZED
  TRY(Lower(RLIMIT_AS, "RLIMIT_AS", AddressSpaceBytes(hello)));
#endif
  TRY(Lower(RLIMIT_FSIZE, "RLIMIT_FSIZE", FileBytesMax(hello)));
  TRY(Lower(RLIMIT_NOFILE, "RLIMIT_NOFILE", kOpenFilesMax));
  TRY(Lower(RLIMIT_CORE, "RLIMIT_CORE", 0));
  TRY(Lower(RLIMIT_STACK, "RLIMIT_STACK", kStackBytes));
  return SetThreadStacks();
}

Status RefuseNewPrivileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return LimitFailed("no_new_privs", errno);
  return {};
}

bool EnterNamespaces() {
  if (geteuid() == 0) return false;
  return unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) == 0;
}

}  // namespace ducat::worker::child
