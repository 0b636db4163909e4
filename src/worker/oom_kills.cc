#include "worker/oom_kills.h"

#include <array>
#include <charconv>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace ducat::worker {

std::optional<uint64_t> ParseOomKills(std::string_view vmstat) {
  constexpr std::string_view kName = "\noom_kill ";
  const size_t at = vmstat.find(kName);
  if (at == vmstat.npos) return std::nullopt;
  const char* begin = vmstat.data() + at + kName.size();
  uint64_t kills = 0;
  const auto [end, error] = std::from_chars(begin, vmstat.data() + vmstat.size(), kills);
  if (error != std::errc() || end == begin) return std::nullopt;
  return kills;
}

std::optional<uint64_t> ReadOomKills() {
  const int fd = ::open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::string text;
  std::array<char, 8'192> chunk{};
  for (ssize_t got = 0; (got = ::read(fd, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<size_t>(got));
  }
  ::close(fd);
  return ParseOomKills(text);
}

}  // namespace ducat::worker
