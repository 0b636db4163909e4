#include "app/data_paths.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include <climits>

#include "base/digest.h"
#include "base/path_text.h"
#include "base/text.h"

namespace ducat::app {
namespace {

constexpr size_t kStateHashDigits = 16;

Result<std::string> Canonical(const std::string& path, const char* reason,
                              const std::string& what) {
  std::array<char, PATH_MAX> resolved{};
  if (realpath(path.c_str(), resolved.data()) == nullptr) {
    return Fail(ErrorCode::kNotFound, reason,
                what + " " + path + ": " + std::generic_category().message(errno) + ".",
                "Give a path that exists and can be read.");
  }
  return std::string(resolved.data());
}

bool IsDirectory(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Status CheckDataRoot(const std::string& root, const std::string& given) {
  if (!IsDirectory(root)) {
    return Fail(ErrorCode::kInvalidArgument, "data_dir_not_a_directory",
                "--data " + given + " is not a directory.",
                "Give the directory that holds the file.");
  }
  // What workers may read must not hold what the self-check proves to be out of reach.
  if (root == "/" || root == "/etc") {
    return Fail(ErrorCode::kInvalidArgument, "data_dir_refused",
                "--data " + given + " is refused: it holds the system's own files.",
                "Give a directory that holds data only.");
  }
  // Everything that is said about its files, to workers and to the engine, is UTF-8.
  if (!IsValidUtf8(root)) {
    return Fail(ErrorCode::kInvalidArgument, "data_dir_refused",
                "--data " + ShownPath(given) + " is refused: its path, " + ShownPath(root) +
                    ", is not UTF-8.",
                "Rename the directory, or give another one.");
  }
  return {};
}

}  // namespace

Status ResolveDataPaths(Settings& settings) {
  analyst::AnalystSettings& analyst = settings.analyst;
  if (analyst.data_dir.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "data_dir_required", "--data is missing.",
                "Name the directory of data files: --data DIR.");
  }
  TRY_ASSIGN(analyst.data_root, Canonical(analyst.data_dir, "data_dir_missing", "--data"));
  TRY(CheckDataRoot(analyst.data_root, analyst.data_dir));
  if (!analyst.db_file.empty()) {
    TRY_ASSIGN(analyst.db_root, Canonical(analyst.db_file, "db_missing", "--db"));
    if (IsDirectory(analyst.db_root)) {
      return Fail(ErrorCode::kInvalidArgument, "db_missing",
                  "--db " + analyst.db_file + " is a directory.", "Give the DuckDB database file.");
    }
  }
  if (!settings.home.empty()) {
    const std::string hash = Hex(Sha256(analyst.data_root)).substr(0, kStateHashDigits);
    analyst.state_dir = settings.home + "/state/" + hash;
  }
  return {};
}

Result<std::string> AbsolutePath(const std::string& path) {
  if (path.starts_with('/')) return path;
  TRY_ASSIGN(const std::string here, Canonical(".", "invalid_setting", "The working directory"));
  return here + "/" + path;
}

Result<std::string> OwnExecutable() {
  std::array<char, PATH_MAX> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size() - 1);
  if (size <= 0) {
    return Fail(ErrorCode::kUnavailable, "worker_unavailable",
                "/proc/self/exe cannot be read, so this program's place is not known.");
  }
  return std::string(path.data(), static_cast<size_t>(size));
}

Result<std::string> FindWorker(const Environment& environment) {
  const Result<std::string> own = OwnExecutable();
  if (own) {
    std::string beside = own->substr(0, own->rfind('/')) + "/ducat-worker";
    if (access(beside.c_str(), X_OK) == 0) return beside;
  }
  const std::optional<std::string> named = environment("DUCAT_WORKER");
  if (named.has_value() && access(named->c_str(), X_OK) == 0) {
    return Canonical(*named, "worker_unavailable", "DUCAT_WORKER");
  }
  return Fail(ErrorCode::kUnavailable, "worker_unavailable",
              named.has_value() ? "DUCAT_WORKER=" + *named + " cannot be run."
                                : "ducat-worker was not found beside ducat.",
              "Install both executables in one directory, or name the worker in DUCAT_WORKER.");
}

}  // namespace ducat::app
