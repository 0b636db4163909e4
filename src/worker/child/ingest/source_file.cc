#include "worker/child/ingest/source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

namespace ducat::ingest {
namespace {

constexpr size_t kSniffBytes = size_t{1} << 20;
constexpr size_t kControlShare = 100;  // one control byte in so many makes a file binary

struct CloseFd {
  int fd;
  ~CloseFd() {
    if (fd >= 0) ::close(fd);
  }
};

Failure Refused(std::string reason, std::string_view relative, std::string_view what,
                std::string hint = {}) {
  return Fail(ErrorCode::kFailedPrecondition, std::move(reason),
              "\"" + std::string(relative) + "\" " + std::string(what), std::move(hint));
}

Failure FromErrno(int error, std::string_view relative) {
  if (error == EACCES || error == EPERM) {
    return Refused("permission", relative, "may not be read",
                   "Give the user of the server read permission.");
  }
  if (error == ENOENT || error == ENOTDIR) {
    return Refused("not_found", relative, "does not exist (any more)");
  }
  if (error == ELOOP) return Refused("outside_link", relative, "is a loop of symbolic links");
  return Refused("engine_error", relative, "cannot be opened");
}

bool LeavesByName(std::string_view relative) {
  if (relative.empty() || relative.front() == '/') return true;
  for (size_t start = 0; start <= relative.size();) {
    const size_t end = std::min(relative.find('/', start), relative.size());
    if (relative.substr(start, end - start) == "..") return true;
    start = end + 1;
  }
  return relative.find('\0') != std::string_view::npos;
}

bool IsControl(unsigned char c) {
  return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f') || c == 0x7F;
}

std::string_view WithoutMark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

int64_t ModifiedNs(const struct stat& found) {
  return int64_t{found.st_mtim.tv_sec} * 1'000'000'000 + found.st_mtim.tv_nsec;
}

}  // namespace

Result<SourceFile> FindSource(std::string_view data_dir, std::string_view relative,
                              uint64_t bytes_max) {
  constexpr std::string_view kOutside = "leads out of the data directory";
  if (LeavesByName(relative)) return Refused("outside_link", relative, kOutside);
  const std::string joined = std::string(data_dir) + "/" + std::string(relative);
  std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(joined.c_str(), nullptr),
                                                       &std::free);
  if (resolved == nullptr) return FromErrno(errno, relative);
  SourceFile source{.path = resolved.get()};
  const std::string root = data_dir == "/" ? "/" : std::string(data_dir) + "/";
  if (!source.path.starts_with(root)) {
    return Refused("outside_link", relative, kOutside, "Copy the file into the data directory.");
  }
  struct stat found{};
  if (::stat(source.path.c_str(), &found) != 0) return FromErrno(errno, relative);
  if (!S_ISREG(found.st_mode)) return Refused("not_tabular", relative, "is no regular file");
  if (::access(source.path.c_str(), R_OK) != 0) return FromErrno(errno, relative);
  source.bytes = found.st_size;
  source.modified_ns = ModifiedNs(found);
  if (static_cast<uint64_t>(source.bytes) > bytes_max) {
    return Refused(
        "too_large", relative,
        "has " + std::to_string(source.bytes) + " bytes, the limit is " + std::to_string(bytes_max),
        "Raise --max-file-bytes, or split the file.");
  }
  return source;
}

bool Unchanged(const SourceFile& source) {
  struct stat found{};
  return ::stat(source.path.c_str(), &found) == 0 && found.st_size == source.bytes &&
         ModifiedNs(found) == source.modified_ns;
}

Result<std::string> ReadHead(const SourceFile& source, size_t bytes) {
  const CloseFd file{::open(source.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
  if (file.fd < 0) return FromErrno(errno, "The file");
  std::string head(std::min(bytes, static_cast<size_t>(source.bytes)), '\0');
  size_t filled = 0;
  while (filled < head.size()) {
    const ssize_t got = ::read(file.fd, head.data() + filled, head.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return FromErrno(errno, "The file");
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  head.resize(filled);
  return head;
}

Status CheckText(const SourceFile& source) {
  if (source.bytes == 0) {
    return Fail(ErrorCode::kFailedPrecondition, "empty", "The file has no bytes");
  }
  TRY_ASSIGN(const std::string head, ReadHead(source, kSniffBytes));
  const auto controls = static_cast<size_t>(std::count_if(
      head.begin(), head.end(), [](char c) { return IsControl(static_cast<unsigned char>(c)); }));
  if (controls > 1 && controls * kControlShare > head.size()) {
    return Fail(ErrorCode::kFailedPrecondition, "binary",
                "The file is not text: " + std::to_string(controls) + " of its first " +
                    std::to_string(head.size()) + " bytes are control characters",
                "Check that its name has the extension of its format.");
  }
  const bool all_read = head.size() == static_cast<size_t>(source.bytes);
  if (all_read && WithoutMark(head).find_first_not_of(" \t\r\n\f") == std::string_view::npos) {
    return Fail(ErrorCode::kFailedPrecondition, "no_records", "The file holds nothing but blanks");
  }
  return {};
}

}  // namespace ducat::ingest
