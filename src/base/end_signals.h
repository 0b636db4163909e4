#pragma once
// The signals that ask a program to end (SIGTERM, SIGINT, SIGHUP), held back while nobody could act
// on them in an orderly way: between making what must be cleared up and listening for them, and
// again once the end has begun. A held signal waits. For the main thread, before others exist;
// cannot fail.

namespace ducat {

void HoldEndSignals();
void ReleaseEndSignals();

}  // namespace ducat
