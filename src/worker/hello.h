#pragma once
// What a worker is told in its first frame and answers in READY (guard.md 3.2). Plain values,
// shared by both halves; the worker confines itself with them before the engine is opened.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/shape.h"

namespace ducat::worker {

enum class Role : uint8_t { kQuery, kIngest };
enum class Profile : uint8_t { kAnalyst, kCanvas };
enum class Sandbox : uint8_t { kStrict, kBestEffort };  // "auto" is decided by the control process

struct Hello {
  Role role = Role::kQuery;
  Profile profile = Profile::kAnalyst;
  Sandbox sandbox = Sandbox::kBestEffort;
  std::string data_dir;     // canonical, absolute; read-only; empty without one
  std::string db_file;      // canonical, absolute; empty without one
  std::string tables_dir;   // finished columnar copies or the canvas directory, read-only
  std::string private_dir;  // 0700, this worker's alone: spill files and staging
  uint64_t memory_limit_bytes = uint64_t{2} << 30;
  uint64_t temp_limit_bytes = uint64_t{4} << 30;
  uint64_t file_bytes_max = uint64_t{16} << 30;
  int threads = 2;

  static constexpr auto Fields();
};

struct Ready {
  int64_t pid = 0;
  std::string engine_version;
  int64_t landlock_abi = 0;  // 0: not available
  bool seccomp = false;
  bool namespaces = false;
  std::vector<std::string> missing;  // confinement features that this kernel lacks, for warnings
  double start_ms = 0;

  static constexpr auto Fields();
};

}  // namespace ducat::worker

template <>
struct ducat::json::EnumNames<ducat::worker::Role> {
  static constexpr std::array<std::string_view, 2> kNames{"query", "ingest"};
};
template <>
struct ducat::json::EnumNames<ducat::worker::Profile> {
  static constexpr std::array<std::string_view, 2> kNames{"analyst", "canvas"};
};
template <>
struct ducat::json::EnumNames<ducat::worker::Sandbox> {
  static constexpr std::array<std::string_view, 2> kNames{"strict", "best-effort"};
};

namespace ducat::worker {

constexpr auto Hello::Fields() {
  using json::Describe;
  return std::array{
      Describe<&Hello::role>("role", "query, or ingest: may also write its private directory"),
      Describe<&Hello::profile>("profile", "profile of the guard"),
      Describe<&Hello::sandbox>("sandbox", "strict or best-effort"),
      Describe<&Hello::data_dir>("data_dir", "data directory"),
      Describe<&Hello::db_file>("db_file", "DuckDB file"),
      Describe<&Hello::tables_dir>("tables_dir", "finished tables"),
      Describe<&Hello::private_dir>("private_dir", "private directory"),
      Describe<&Hello::memory_limit_bytes>("memory_limit_bytes", "engine memory limit"),
      Describe<&Hello::temp_limit_bytes>("temp_limit_bytes", "spill limit"),
      Describe<&Hello::file_bytes_max>("file_bytes_max", "largest file an ingest job may write"),
      Describe<&Hello::threads>("threads", "engine threads")};
}

constexpr auto Ready::Fields() {
  using json::Describe;
  return std::array{Describe<&Ready::pid>("pid", "process id"),
                    Describe<&Ready::engine_version>("engine_version", "version of the engine"),
                    Describe<&Ready::landlock_abi>("landlock_abi", "Landlock ABI, 0 without"),
                    Describe<&Ready::seccomp>("seccomp", "filter loaded"),
                    Describe<&Ready::namespaces>("namespaces", "own namespaces"),
                    Describe<&Ready::missing>("missing", "features this kernel lacks"),
                    Describe<&Ready::start_ms>("start_ms", "from main to READY")};
}

}  // namespace ducat::worker
