#include "worker/child/confine/seccomp_filter.h"

#include <array>
#include <cerrno>
#include <memory>
#include <sched.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include <seccomp.h>

namespace ducat::worker::child {
namespace {

// Allowed with any arguments. The list was tried on the pinned engine with every kind of file,
// spilling, errors and out-of-memory; adding to it needs a reason in guard.md.
constexpr std::array kAllowed{
    SCMP_SYS(access),
    SCMP_SYS(brk),
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(close),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(fcntl),
    SCMP_SYS(fstat),
    SCMP_SYS(fsync),
    SCMP_SYS(fdatasync),
    SCMP_SYS(ftruncate),
    SCMP_SYS(futex),
    SCMP_SYS(getdents64),
    SCMP_SYS(getpid),
    SCMP_SYS(getrandom),
    SCMP_SYS(getrusage),
    SCMP_SYS(gettid),
    SCMP_SYS(lseek),
    SCMP_SYS(madvise),
    SCMP_SYS(mremap),
    SCMP_SYS(munmap),
    SCMP_SYS(newfstatat),
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(poll),
    SCMP_SYS(pread64),
    SCMP_SYS(pwrite64),
    SCMP_SYS(read),
    SCMP_SYS(readlink),
    SCMP_SYS(readv),
    SCMP_SYS(recvmsg),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sendmsg),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(stat),
    SCMP_SYS(statx),
    SCMP_SYS(sysinfo),
    SCMP_SYS(unlink),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(uname),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getcwd),
    SCMP_SYS(lstat),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlinkat),
    SCMP_SYS(unlinkat),
    SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat),
    SCMP_SYS(rmdir),
    SCMP_SYS(rename),
    SCMP_SYS(renameat2),
    SCMP_SYS(fallocate),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(membarrier),
#ifdef DUCAT_SANITIZED
    SCMP_SYS(pipe2),  // the vptr check of UBSan reports false errors without it
#endif
};

// Allowed when one argument is right.
struct CheckedCall {
  int call;
  scmp_arg_cmp check;
};

scmp_arg_cmp Equals(unsigned argument, scmp_datum_t value) {
  return {.arg = argument, .op = SCMP_CMP_EQ, .datum_a = value, .datum_b = 0};
}

// The bits of `mask` in the argument are `value`.
scmp_arg_cmp Bits(unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
  return {.arg = argument, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

std::array<CheckedCall, 6> CheckedCalls() {
  return {{
      {SCMP_SYS(clone), Bits(0, CLONE_THREAD, CLONE_THREAD)},
      {SCMP_SYS(prlimit64), Equals(0, 0)},
      {SCMP_SYS(tgkill), Equals(0, static_cast<scmp_datum_t>(getpid()))},
      {SCMP_SYS(ioctl), Equals(1, TCGETS)},
      {SCMP_SYS(mmap), Bits(2, PROT_EXEC, 0)},
      {SCMP_SYS(mprotect), Bits(2, PROT_EXEC, 0)},
  }};
}

Failure FilterFailed(const std::string& what, int error) {
  return Fail(ErrorCode::kInternal, "sandbox_failed",
              "seccomp: " + what + ": " + std::generic_category().message(error));
}

struct ReleaseFilter {
  void operator()(void* filter) const { seccomp_release(filter); }
};

}  // namespace

Status LoadSeccompFilter() {
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  if (filter == nullptr) return FilterFailed("seccomp_init", ENOMEM);
  for (const int call : kAllowed) {
    const int result = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
    if (result != 0) return FilterFailed("rule " + std::to_string(call), -result);
  }
  for (const CheckedCall& checked : CheckedCalls()) {
    const int result =
        seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, checked.call, 1, &checked.check);
    if (result != 0) return FilterFailed("rule " + std::to_string(checked.call), -result);
  }
  // libc falls back to clone, whose flags a filter can read.
  int result = seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (result != 0) return FilterFailed("rule clone3", -result);
  result = seccomp_load(filter.get());
  if (result != 0) return FilterFailed("seccomp_load", -result);
  return {};
}

}  // namespace ducat::worker::child
