// Runs ducat-probe-worker as on a kernel that lacks something. Under the name "no-landlock" or
// "no-seccomp" (a link to this program) the system calls of that feature answer as if they were not
// there.

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/prctl.h>
#include <unistd.h>

#include <seccomp.h>

namespace {

constexpr int kLandlockCreateRuleset = 444;

void Mask(const std::string& name) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  const uint32_t missing = SCMP_ACT_ERRNO(ENOSYS);
  if (name == "no-landlock") {
    seccomp_rule_add(filter, missing, kLandlockCreateRuleset, 0);
  } else {
    const scmp_arg_cmp set_seccomp{
        .arg = 0, .op = SCMP_CMP_EQ, .datum_a = PR_SET_SECCOMP, .datum_b = 0};
    seccomp_rule_add(filter, missing, SCMP_SYS(seccomp), 0);
    seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1, &set_seccomp);
  }
  if (seccomp_load(filter) != 0) _exit(99);
}

}  // namespace

int main(int, char** argv) {
  namespace fs = std::filesystem;
  Mask(fs::path(argv[0]).filename());
  const std::string program =
      fs::read_symlink("/proc/self/exe").parent_path() / "ducat-probe-worker";
  argv[0] = const_cast<char*>(program.c_str());
  execv(program.c_str(), argv);
  return 99;
}
