#include "support/instruction_count.h"

#include <csignal>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace ducat::testing {
namespace {

#if defined(__x86_64__)
constexpr unsigned long long kTrapFlag = 0x100;

// A signal handler has no context of its own.
volatile uint64_t steps = 0;

void CountStep(int) {
  steps = steps + 1;
}
#endif

}  // namespace

bool CanCountInstructions() {
#if defined(__x86_64__)
  return true;
#else
  return false;
#endif
}

uint64_t CountInstructions(const std::function<void()>& work) {
  work();
#if defined(__x86_64__)
  struct sigaction count{};
  struct sigaction before{};
  count.sa_handler = CountStep;
  ::sigaction(SIGTRAP, &count, &before);
  steps = 0;
  __writeeflags(__readeflags() | kTrapFlag);
  work();
  __writeeflags(__readeflags() & ~kTrapFlag);
  ::sigaction(SIGTRAP, &before, nullptr);
  return steps;
#else
  return 0;
#endif
}

}  // namespace ducat::testing
