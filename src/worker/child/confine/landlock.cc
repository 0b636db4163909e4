#include "worker/child/confine/landlock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

#include "worker/spawn.h"

namespace ducat::worker::child {
namespace {

// The kernel's interface, written out because the headers of a build machine may be older than the
// kernel that runs. Names as in <linux/landlock.h>.
constexpr long kCreateRuleset = 444;
constexpr long kAddRule = 445;
constexpr long kRestrictSelf = 446;
constexpr int kRulePathBeneath = 1;

constexpr uint64_t kExecute = 1u << 0;
constexpr uint64_t kWriteFile = 1u << 1;
constexpr uint64_t kReadFile = 1u << 2;
constexpr uint64_t kReadDir = 1u << 3;
constexpr uint64_t kRemoveDir = 1u << 4;
constexpr uint64_t kRemoveFile = 1u << 5;
constexpr uint64_t kMakeChar = 1u << 6;
constexpr uint64_t kMakeDir = 1u << 7;
constexpr uint64_t kMakeReg = 1u << 8;
constexpr uint64_t kMakeSock = 1u << 9;
constexpr uint64_t kMakeFifo = 1u << 10;
constexpr uint64_t kMakeBlock = 1u << 11;
constexpr uint64_t kMakeSym = 1u << 12;
constexpr uint64_t kRefer = 1u << 13;                   // ABI 2
constexpr uint64_t kTruncate = 1u << 14;                // ABI 3
constexpr uint64_t kIoctlDev = 1u << 15;                // ABI 5
constexpr uint64_t kBindTcp = 1u << 0;                  // ABI 4
constexpr uint64_t kConnectTcp = 1u << 1;               // ABI 4
constexpr uint64_t kScopeAbstractUnixSocket = 1u << 0;  // ABI 6
constexpr uint64_t kScopeSignal = 1u << 1;              // ABI 6

struct RulesetAttr {
  uint64_t handled_access_fs = 0;
  uint64_t handled_access_net = 0;
  uint64_t scoped = 0;
};

struct __attribute__((packed)) PathBeneathAttr {
  uint64_t allowed_access = 0;
  int32_t parent_fd = -1;
};

constexpr uint64_t kFileRights = kExecute | kWriteFile | kReadFile | kTruncate | kIoctlDev;

uint64_t FileRights(int abi) {
  uint64_t rights = kExecute | kWriteFile | kReadFile | kReadDir | kRemoveDir | kRemoveFile |
                    kMakeChar | kMakeDir | kMakeReg | kMakeSock | kMakeFifo | kMakeBlock | kMakeSym;
  if (abi >= 2) rights |= kRefer;
  if (abi >= 3) rights |= kTruncate;
  if (abi >= 5) rights |= kIoctlDev;
  return rights;
}

// Size of the attribute that a kernel of this ABI takes.
size_t AttributeSize(int abi) {
  if (abi < 4) return offsetof(RulesetAttr, handled_access_net);
  if (abi < 6) return offsetof(RulesetAttr, scoped);
  return sizeof(RulesetAttr);
}

Failure LandlockFailed(const std::string& what, int error) {
  return Fail(ErrorCode::kInternal, "sandbox_failed",
              "Landlock: " + what + ": " + std::generic_category().message(error));
}

Status Allow(int ruleset, const std::string& path, uint64_t rights, bool may_be_missing) {
  const UniqueFd fd(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!fd.valid()) {
    if (may_be_missing) return {};
    return LandlockFailed(path, errno);
  }
  struct stat status{};
  if (fstat(fd.get(), &status) != 0) return LandlockFailed(path, errno);
  const PathBeneathAttr attr{
      .allowed_access = S_ISDIR(status.st_mode) ? rights : rights & kFileRights,
      .parent_fd = fd.get()};
  if (syscall(kAddRule, ruleset, kRulePathBeneath, &attr, 0) != 0) {
    return LandlockFailed(path, errno);
  }
  return {};
}

Status AllowAll(int ruleset, const LandlockRules& rules, int abi) {
  constexpr uint64_t kRead = kReadFile | kReadDir;
  const uint64_t write =
      (kRead | kWriteFile | kTruncate | kMakeReg | kMakeDir | kRemoveFile | kRemoveDir) &
      FileRights(abi);
  for (const std::string& path : rules.readable) {
    TRY(Allow(ruleset, path, kRead, false));
  }
  for (const std::string& path : rules.readable_if_there) {
    TRY(Allow(ruleset, path, kRead, true));
  }
  for (const std::string& path : rules.writable) {
    TRY(Allow(ruleset, path, write, false));
  }
  return {};
}

}  // namespace

Status RestrictFiles(const LandlockRules& rules, int abi) {
  RulesetAttr attr{.handled_access_fs = FileRights(abi)};
  if (abi >= 4) attr.handled_access_net = kBindTcp | kConnectTcp;
  if (abi >= 6) attr.scoped = kScopeAbstractUnixSocket | kScopeSignal;
  const UniqueFd ruleset(static_cast<int>(syscall(kCreateRuleset, &attr, AttributeSize(abi), 0)));
  if (!ruleset.valid()) return LandlockFailed("landlock_create_ruleset", errno);
  TRY(AllowAll(ruleset.get(), rules, abi));
  if (syscall(kRestrictSelf, ruleset.get(), 0) != 0) {
    return LandlockFailed("landlock_restrict_self", errno);
  }
  return {};
}

}  // namespace ducat::worker::child
