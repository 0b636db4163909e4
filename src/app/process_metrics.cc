#include "app/process_metrics.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace ducat::app {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

void Add(std::vector<MetricFamily>& families, std::string name, std::string help, MetricType type,
         double value) {
  prometheus::ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  families.push_back({.name = std::move(name),
                      .help = std::move(help),
                      .type = type,
                      .metric = {std::move(metric)}});
}

// Fields of /proc/self/stat after the name, which may hold blanks: proc(5) counts them from 3.
std::vector<std::string> StatFields() {
  std::ifstream file("/proc/self/stat");
  std::string line;
  std::getline(file, line);
  std::istringstream rest(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::vector<std::string> fields(3);
  for (std::string field; rest >> field;) {
    fields.push_back(field);
  }
  return fields;
}

double Number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Seconds since 1970 at which the machine started.
std::optional<double> BootTime() {
  std::ifstream file("/proc/stat");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("btime ")) return Number(std::string_view(line).substr(6));
  }
  return std::nullopt;
}

std::optional<double> OpenDescriptors() {
  std::error_code problem;
  std::filesystem::directory_iterator at("/proc/self/fd", problem);
  if (problem) return std::nullopt;
  double count = -1;  // the listing itself has one
  for (; at != std::filesystem::directory_iterator(); at.increment(problem)) {
    ++count;
  }
  return count;
}

}  // namespace

std::vector<MetricFamily> ProcessMetrics::Collect() const {
  std::vector<MetricFamily> families;
  const std::vector<std::string> stat = StatFields();
  constexpr size_t kUserTime = 14, kSystemTime = 15, kStartTime = 22, kVirtual = 23, kResident = 24;
  if (stat.size() > kResident) {
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    Add(families, "process_cpu_seconds_total", "Time on the processor, user and system.",
        MetricType::Counter, (Number(stat[kUserTime]) + Number(stat[kSystemTime])) / ticks);
    Add(families, "process_virtual_memory_bytes", "Virtual memory.", MetricType::Gauge,
        Number(stat[kVirtual]));
    Add(families, "process_resident_memory_bytes", "Resident memory.", MetricType::Gauge,
        Number(stat[kResident]) * page);
    if (const auto boot = BootTime()) {
      Add(families, "process_start_time_seconds", "Start of the process, seconds since 1970.",
          MetricType::Gauge, *boot + Number(stat[kStartTime]) / ticks);
    }
  }
  if (const auto open = OpenDescriptors()) {
    Add(families, "process_open_fds", "Open file descriptors.", MetricType::Gauge, *open);
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    Add(families, "process_max_fds", "Most file descriptors that may be open.", MetricType::Gauge,
        static_cast<double>(limit.rlim_cur));
  }
  return families;
}

}  // namespace ducat::app
