// stdio_load [--tool NAME --arguments JSON] COMMAND...: calls per second of a stdio server.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "load_client.h"

namespace ducat::bench {
namespace {

void Report(const char* era, size_t window, const CallRate& rate) {
  fmt::print("{:<6} window {:<3} {:9.0f} calls/s  {:6.2f} us server CPU per call  RSS {:.1f} MiB\n",
             era, window, rate.per_second, rate.server_cpu_us, rate.resident_mib);
}

int Main(int argc, char** argv) {
  LoadOptions options;
  int first = 1;
  while (first + 1 < argc && std::strncmp(argv[first], "--", 2) == 0) {
    const std::string flag = argv[first];
    if (flag == "--tool") options.tool = argv[first + 1];
    if (flag == "--arguments") options.arguments = argv[first + 1];
    if (flag == "--calls") options.calls = std::strtoul(argv[first + 1], nullptr, 10);
    first += 2;
  }
  const std::vector<std::string> command(argv + first, argv + argc);
  if (command.empty()) {
    std::fprintf(stderr,
                 "usage: stdio_load [--tool T] [--arguments JSON] [--calls N] COMMAND...\n");
    return 2;
  }
  for (const bool modern : {false, true}) {
    options.modern = modern;
    options.window = 32;
    Report(modern ? "modern" : "legacy", options.window, MeasureCalls(command, options));
    options.window = 1;
    LoadOptions single = options;
    single.calls = options.calls / 4;
    Report(modern ? "modern" : "legacy", single.window, MeasureCalls(command, single));
  }
  return 0;
}

}  // namespace
}  // namespace ducat::bench

int main(int argc, char** argv) {
  return ducat::bench::Main(argc, argv);
}
