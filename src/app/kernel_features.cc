#include "app/kernel_features.h"

#include <cerrno>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ducat::app {
namespace {

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
constexpr unsigned kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION

}  // namespace

KernelFeatures AskKernel() {
  KernelFeatures features;
  const long abi = syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion);
  features.landlock_abi = abi > 0 ? static_cast<int>(abi) : 0;
  // A filter at address 0 cannot be read: EFAULT says that filters exist, EINVAL that they do not.
  features.seccomp = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, nullptr) == -1 && errno == EFAULT;
  return features;
}

Result<std::vector<std::string>> ChooseSandbox(const KernelFeatures& kernel, bool beyond_loopback,
                                               Settings& settings) {
  if (!kernel.seccomp) {
    return Fail(
        ErrorCode::kFailedPrecondition, "sandbox_missing",
        "This kernel offers no seccomp filters, without which no worker may run.",
        "Use a kernel built with CONFIG_SECCOMP_FILTER, or a container runtime that allows it.");
  }
  const bool strict = settings.sandbox == SandboxMode::kStrict ||
                      (settings.sandbox == SandboxMode::kAuto && beyond_loopback);
  settings.analyst.sandbox = strict ? worker::Sandbox::kStrict : worker::Sandbox::kBestEffort;
  if (kernel.landlock_abi >= 1) return std::vector<std::string>{};
  if (strict) {
    return Fail(ErrorCode::kFailedPrecondition, "sandbox_missing",
                "This kernel offers no Landlock (Linux 5.13 or later with it enabled), which "
                "--sandbox strict requires.",
                "Enable Landlock, or accept the weaker confinement with --sandbox best-effort.");
  }
  return std::vector<std::string>{
      "This kernel offers no Landlock: workers are confined by seccomp and resource limits only."};
}

}  // namespace ducat::app
