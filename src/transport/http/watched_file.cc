#include "transport/http/watched_file.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ducat::transport {
namespace {

constexpr int64_t kFileBytesMax = int64_t{1} << 20U;

}  // namespace

Failure WatchedFile::Broken(const std::string& why) const {
  return Fail(ErrorCode::kInvalidArgument, reason_, what_ + " " + path_ + why);
}

WatchedFile::Stamp WatchedFile::StampOf(const struct stat& info) {
  return {.seconds = info.st_ctim.tv_sec,
          .nanoseconds = info.st_ctim.tv_nsec,
          .size = info.st_size,
          .inode = info.st_ino};
}

Result<std::string> WatchedFile::ReadAll() {
  const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return Broken(": " + std::generic_category().message(errno));
  struct stat info{};
  std::string text;
  const bool known = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  const bool careless = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  if (known && !careless && info.st_size <= kFileBytesMax) {
    text.resize(static_cast<size_t>(info.st_size));
    const ssize_t got = ::read(fd, text.data(), text.size());
    text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  }
  ::close(fd);
  if (!known) return Broken(" is no regular file");
  stamp_ = StampOf(info);
  if (careless) return Broken(" can be written by others: chmod 600 it");
  if (info.st_size > kFileBytesMax) return Broken(" is over 1 MiB");
  return text;
}

Result<std::optional<std::string>> WatchedFile::Read(bool in_any_case) {
  if (!in_any_case) {
    struct stat info{};
    if (::stat(path_.c_str(), &info) != 0) {
      if (++times_gone_ != 2) return std::nullopt;
      stamp_ = {};
      return Broken(": " + std::generic_category().message(errno));
    }
    times_gone_ = 0;
    if (StampOf(info) == stamp_) return std::nullopt;
  }
  TRY_ASSIGN(std::string text, ReadAll());
  return std::optional<std::string>(std::move(text));
}

}  // namespace ducat::transport
