#include "worker/sandbox_support.h"

#include <cstdint>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ducat::worker {
namespace {

constexpr long kLandlockCreateRuleset = 444;  // not in the headers of older systems
constexpr uint32_t kLandlockVersion = 1;

}  // namespace

std::vector<std::string> SandboxSupport::missing() const {
  std::vector<std::string> names;
  if (landlock_abi == 0) names.emplace_back("landlock");
  if (!seccomp) names.emplace_back("seccomp");
  return names;
}

SandboxSupport ProbeSandbox() {
  SandboxSupport support;
  const long abi = syscall(kLandlockCreateRuleset, nullptr, 0, kLandlockVersion);
  if (abi > 0) support.landlock_abi = static_cast<int>(abi);
  const uint32_t action = SECCOMP_RET_ERRNO;
  support.seccomp = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  return support;
}

}  // namespace ducat::worker
