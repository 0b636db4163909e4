#include "app/commands.h"
namespace ducat::app {
Result<int> Install(const Settings&, const CommandLine&, Terminal&) {
  return Internal("not yet");
}
}  // namespace ducat::app
