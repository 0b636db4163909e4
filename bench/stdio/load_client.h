#pragma once
// Calls of a stdio server with a window of them in flight. A server that answers with an error
// ends the benchmark.

#include <string>
#include <vector>

namespace ducat::bench {

struct CallRate {
  double per_second = 0;
  double server_cpu_us = 0;  // per call
  double resident_mib = 0;   // at the end
};
struct LoadOptions {
  bool modern = false;
  size_t window = 32;
  size_t calls = 200'000;
  std::string tool = "echo";
  std::string arguments = R"({"message":"hello world"})";
};
[[nodiscard]] CallRate MeasureCalls(const std::vector<std::string>& command,
                                    const LoadOptions& options);

}  // namespace ducat::bench
