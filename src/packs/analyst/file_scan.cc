#include "packs/analyst/file_scan.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <climits>

#include "base/text.h"
#include "packs/analyst/path_glob.h"

namespace ducat::analyst {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { closedir(directory); }
};
using DirectoryHandle = std::unique_ptr<DIR, CloseDirectory>;
using Inode = std::pair<dev_t, ino_t>;

// An open directory of the current chain. Chains are short; one descriptor per level.
struct Level {
  DirectoryHandle handle;
  std::string prefix;  // "" or "sub/"
  Inode inode;
  bool through_link = false;
};

// A link to a directory inside, walked after all real directories.
struct LinkedDirectory {
  std::string path;
  std::string target;
};

constexpr size_t kDepthMax = 256;  // descriptors held at once

int64_t ModifiedNs(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

bool IsOwnFile(std::string_view path) {
  return path == "ducat.yaml" || path == "saved_queries.json";
}

// Hidden anywhere below the root: such a target may not be shown under another name.
bool HasHiddenComponent(std::string_view relative) {
  return relative.starts_with('.') || relative.find("/.") != std::string_view::npos;
}

}  // namespace

struct FileScan::Impl {
  std::string root;  // canonical
  ScanRules rules;
  std::vector<Level> levels;
  std::vector<LinkedDirectory> links;
  size_t next_link = 0;
  std::set<Inode> linked_targets;
  size_t seen = 0;                             // regular files
  std::set<std::string, std::less<>> matched;  // globs
  ScannedDirectory found;

  bool PushDirectory(int parent, const char* name, std::string prefix, bool through_link);
  void VisitEntry(const char* name);
  void VisitFile(const std::string& path, const struct stat& status);
  void VisitLink(const std::string& path, const struct stat& link);
  bool OpenNextLink();
  // Notes which globs have matched.
  [[nodiscard]] bool Wanted(std::string_view path);
  void NoteIdle(std::string_view flag, const std::vector<std::string>& globs);
  void Skip(std::string path, std::string reason, uint64_t bytes, int64_t modified_ns);
};

FileScan::FileScan(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
FileScan::FileScan(FileScan&&) noexcept = default;
FileScan& FileScan::operator=(FileScan&&) noexcept = default;
FileScan::~FileScan() = default;

FileScan FileScan::Nothing() {
  return FileScan(std::make_unique<Impl>());
}

Result<FileScan> FileScan::Open(const std::string& directory, ScanRules rules) {
  std::array<char, PATH_MAX> resolved{};
  if (realpath(directory.c_str(), resolved.data()) == nullptr) {
    return Fail(
        errno == EACCES ? ErrorCode::kPermissionDenied : ErrorCode::kNotFound,
        errno == EACCES ? "data_dir_unreadable" : "data_dir_missing",
        "The data directory " + directory + ": " + std::generic_category().message(errno) + ".",
        "Give --data a directory that exists.");
  }
  auto impl = std::make_unique<Impl>();
  impl->root = resolved.data();
  impl->rules = std::move(rules);
  if (!impl->PushDirectory(AT_FDCWD, impl->root.c_str(), "", false)) {
    const bool no_directory = errno == ENOTDIR;
    return Fail(
        no_directory ? ErrorCode::kInvalidArgument : ErrorCode::kPermissionDenied,
        no_directory ? "data_dir_not_a_directory" : "data_dir_unreadable",
        "The data directory " + directory + ": " + std::generic_category().message(errno) + ".",
        no_directory ? "Give --data the directory that holds the file."
                     : "Make it readable for this user, or give --data another one.");
  }
  return FileScan(std::move(impl));
}

bool FileScan::Impl::PushDirectory(int parent, const char* name, std::string prefix,
                                   bool through_link) {
  if (levels.size() >= kDepthMax) {
    errno = ELOOP;
    return false;
  }
  const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat status{};
  DIR* handle = fstat(fd, &status) == 0 ? fdopendir(fd) : nullptr;
  if (handle == nullptr) {
    close(fd);
    return false;
  }
  levels.push_back(Level{.handle = DirectoryHandle(handle),
                         .prefix = std::move(prefix),
                         .inode = {status.st_dev, status.st_ino},
                         .through_link = through_link});
  return true;
}

bool FileScan::Step(size_t entries) {
  for (size_t i = 0; i < entries; ++i) {
    while (impl_->levels.empty()) {
      if (!impl_->OpenNextLink()) return true;
    }
    // POSIX 2024: safe between threads as long as no two read one stream.
    // NOLINTNEXTLINE(concurrency-mt-unsafe)
    const dirent* entry = readdir(impl_->levels.back().handle.get());
    if (entry == nullptr) {
      impl_->levels.pop_back();
      continue;
    }
    if (entry->d_name[0] != '.') impl_->VisitEntry(entry->d_name);
  }
  return false;
}

void FileScan::Impl::VisitEntry(const char* name) {
  const Level& level = levels.back();
  const int directory = dirfd(level.handle.get());
  struct stat status{};
  // What cannot be asked is gone meanwhile.
  if (directory < 0 || fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  std::string path = level.prefix + name;
  if (S_ISDIR(status.st_mode)) {
    const bool through_link = level.through_link;
    if (!PushDirectory(directory, name, path + "/", through_link)) {
      Skip(path + "/", errno == ELOOP ? "too_deep" : "permission", 0, ModifiedNs(status));
    }
  } else if (S_ISREG(status.st_mode)) {
    VisitFile(path, status);
  } else if (S_ISLNK(status.st_mode)) {
    VisitLink(path, status);
  }
}

void FileScan::Impl::VisitFile(const std::string& path, const struct stat& status) {
  const std::string_view name = std::string_view(path).substr(path.rfind('/') + 1);
  if (name.starts_with("~$") || IsOwnFile(path) || !Wanted(path)) return;
  const auto parsed = ParseFileName(name);
  if (seen >= rules.files_max) {
    ++found.over_limit;
    return;
  }
  ++seen;
  // SQL is UTF-8, so no literal can name another file.
  if (IsValidUtf8(path)) found.visible.push_back(path);
  if (!parsed.has_value()) {
    ++found.other_files;
    return;
  }
  const auto bytes = static_cast<uint64_t>(status.st_size);
  if (bytes > rules.file_bytes_max) {
    Skip(path, "too_large", bytes, ModifiedNs(status));
    return;
  }
  found.files.push_back(ScannedFile{
      .path = path, .format = parsed->format, .bytes = bytes, .modified_ns = ModifiedNs(status)});
}

void FileScan::Impl::VisitLink(const std::string& path, const struct stat& link) {
  std::array<char, PATH_MAX> resolved{};
  const bool resolves = realpath((root + "/" + path).c_str(), resolved.data()) != nullptr;
  std::string target = resolves ? resolved.data() : "";
  const bool inside = target == root || root == "/" || target.starts_with(root + "/");
  // One answer for all that does not lead to something inside: whether there is anything outside,
  // and what, must not be seen.
  if (!resolves || !inside) {
    if (Wanted(path)) Skip(path, "outside_link", 0, ModifiedNs(link));
    return;
  }
  if (target == root || HasHiddenComponent(std::string_view(target).substr(root.size() + 1))) {
    return;
  }
  struct stat status{};
  if (lstat(target.c_str(), &status) != 0) return;
  if (S_ISREG(status.st_mode)) {
    VisitFile(path, status);
  } else if (S_ISDIR(status.st_mode) && !levels.back().through_link) {
    links.push_back(LinkedDirectory{.path = path, .target = std::move(target)});
  }
}

// Links are followed once: a target that another link has shown, or that holds the link itself, is
// left out, and links to directories below a followed one are not followed again.
bool FileScan::Impl::OpenNextLink() {
  while (next_link < links.size()) {
    const LinkedDirectory& link = links[next_link++];
    if ((root + "/" + link.path).starts_with(link.target + "/")) continue;
    if (!PushDirectory(AT_FDCWD, link.target.c_str(), link.path + "/", true)) continue;
    if (linked_targets.insert(levels.back().inode).second) return true;
    levels.pop_back();
  }
  return false;
}

bool FileScan::Impl::Wanted(std::string_view path) {
  const auto any = [&](const std::vector<std::string>& globs) {
    bool hit = false;
    for (const std::string& glob : globs) {
      if (!MatchesPath(glob, path)) continue;
      hit = true;
      matched.insert(glob);
    }
    return hit;
  };
  const bool included = any(rules.include) || rules.include.empty();
  return !any(rules.exclude) && included;
}

void FileScan::Impl::NoteIdle(std::string_view flag, const std::vector<std::string>& globs) {
  for (const std::string& glob : globs) {
    if (!matched.contains(glob)) found.idle_globs.push_back(std::string(flag) + " " + glob);
  }
}

void FileScan::Impl::Skip(std::string path, std::string reason, uint64_t bytes,
                          int64_t modified_ns) {
  if (found.skipped.size() >= rules.files_max) {
    ++found.over_limit;
    return;
  }
  found.skipped.push_back({.path = std::move(path),
                           .reason = std::move(reason),
                           .bytes = bytes,
                           .modified_ns = modified_ns});
}

ScannedDirectory FileScan::Take() {
  impl_->NoteIdle("--include", impl_->rules.include);
  impl_->NoteIdle("--exclude", impl_->rules.exclude);
  ScannedDirectory found = std::move(impl_->found);
  std::sort(found.files.begin(), found.files.end(),
            [](const ScannedFile& a, const ScannedFile& b) { return a.path < b.path; });
  std::sort(found.skipped.begin(), found.skipped.end(),
            [](const SkippedFile& a, const SkippedFile& b) { return a.path < b.path; });
  std::sort(found.visible.begin(), found.visible.end());
  return found;
}

}  // namespace ducat::analyst
