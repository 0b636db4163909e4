#pragma once
// WatchedFile: a small file that decides who may call: tokens, keys, certificates. Read when it has
// changed or on demand; refused when others than its owner may write it. Reading blocks, for a few
// lines, once after each change. Control thread only.

#include <cstdint>
#include <optional>
#include <string>
#include <sys/stat.h>

#include "base/result.h"

namespace ducat::transport {

class WatchedFile {
 public:
  // `what` names the file in errors: "Token file". `reason` is that of all errors.
  WatchedFile(std::string what, std::string reason, std::string path)
      : what_(std::move(what)), reason_(std::move(reason)), path_(std::move(path)) {}

  // The text when the file has changed since it was looked at last, its mode and owner included, or
  // in any case. An error is told once per change; that the file is gone, on the second look, for
  // it may just be being replaced.
  [[nodiscard]] Result<std::optional<std::string>> Read(bool in_any_case);

 private:
  // What tells one state of a file from another.
  struct Stamp {
    int64_t seconds = 0, nanoseconds = 0;  // of the last change, also of mode, owner and times
    int64_t size = 0;
    uint64_t inode = 0;
    bool operator==(const Stamp&) const = default;
  };
  [[nodiscard]] static Stamp StampOf(const struct stat& info);
  [[nodiscard]] Result<std::string> ReadAll();
  [[nodiscard]] Failure Broken(const std::string& why) const;

  std::string what_;
  std::string reason_;
  std::string path_;
  Stamp stamp_;
  int times_gone_ = 0;  // in a row
};

}  // namespace ducat::transport
