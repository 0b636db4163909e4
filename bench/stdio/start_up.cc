// start_up [--starts N] COMMAND...: what a start of a stdio server costs until `initialize` is
// answered (protocol.md P-01). Wall time needs an idle machine; time on the processor, page faults
// and memory do not.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "child_process.h"

namespace ducat::bench {
namespace {

constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"start_up","version":"1"}}})"
    "\n";

class Figure {
 public:
  void Add(double value) { values_.push_back(value); }
  void Print(const char* name, const char* unit) {
    std::ranges::sort(values_);
    const size_t last = values_.size() - 1;
    fmt::print("{:<22} {:9.2f} {:9.2f} {:9.2f} {:9.2f}  {}\n", name, values_.front(),
               values_[last / 2], values_[last * 99 / 100], values_.back(), unit);
  }

 private:
  std::vector<double> values_;
};

int Main(int argc, char** argv) {
  int starts = 100;
  int first = 1;
  if (argc > 2 && std::strcmp(argv[1], "--starts") == 0) {
    starts = std::max(1, std::atoi(argv[2]));
    first = 3;
  }
  const std::vector<std::string> command(argv + first, argv + argc);
  if (command.empty()) {
    std::fprintf(stderr, "usage: start_up [--starts N] COMMAND...\n");
    return 2;
  }
  Figure wall, processor, faults, resident;
  for (int i = 0; i < starts; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    ChildProcess server(command);
    server.Write(kInitialize);
    if (server.ReadReply().empty()) return 1;
    const auto end = std::chrono::steady_clock::now();
    const StartCost cost = server.start_cost();
    wall.Add(std::chrono::duration<double, std::milli>(end - begin).count());
    processor.Add(cost.processor_ms);
    faults.Add(cost.page_faults);
    resident.Add(server.resident_mib() * 1'024);
  }
  fmt::print("{:<22} {:>9} {:>9} {:>9} {:>9}\n", fmt::format("{} starts", starts), "min", "median",
             "p99", "max");
  wall.Print("exec to answer", "ms");
  processor.Print("on the processor", "ms");
  faults.Print("page faults", "");
  resident.Print("resident", "kB");
  return 0;
}

}  // namespace
}  // namespace ducat::bench

int main(int argc, char** argv) {
  return ducat::bench::Main(argc, argv);
}
