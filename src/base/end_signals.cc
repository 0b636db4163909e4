#include "base/end_signals.h"

#include <csignal>

#include "base/result.h"

namespace ducat {
namespace {

void Change(int how) {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    sigaddset(&signals, number);
  }
  CHECK(pthread_sigmask(how, &signals, nullptr) == 0);
}

}  // namespace

void HoldEndSignals() {
  Change(SIG_BLOCK);
}

void ReleaseEndSignals() {
  Change(SIG_UNBLOCK);
}

}  // namespace ducat
