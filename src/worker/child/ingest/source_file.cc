#include "worker/child/ingest/source_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>

#include "base/path_text.h"
#include "base/text.h"
#include "worker/child/ingest/open_file.h"

namespace ducat::ingest {
namespace {

constexpr size_t kSniffBytes = size_t{1} << 20;
constexpr size_t kControlShare = 100;  // one control byte in so many makes a file binary

constexpr std::string_view kCopyName = "source.tmp";

Failure LeadsOut(const std::string& name, std::string hint = {}) {
  return Fail(ErrorCode::kFailedPrecondition, "outside_link",
              name + " leads out of the data directory", std::move(hint));
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
  const std::string name = "\"" + ShownPath(relative) + "\"";
  if (LeavesByName(relative)) return LeadsOut(name);
  const std::string joined = std::string(data_dir) + "/" + std::string(relative);
  std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(joined.c_str(), nullptr),
                                                       &std::free);
  if (resolved == nullptr) return OpenFailure(errno, name);
  SourceFile source{.path = resolved.get()};
  const std::string root = data_dir == "/" ? "/" : std::string(data_dir) + "/";
  if (!source.path.starts_with(root)) {
    return LeadsOut(name, "Copy the file into the data directory.");
  }
  struct stat found{};
  if (::stat(source.path.c_str(), &found) != 0) return OpenFailure(errno, name);
  if (!S_ISREG(found.st_mode)) return NoRegularFile(name);
  if (::access(source.path.c_str(), R_OK) != 0) return OpenFailure(errno, name);
  source.bytes = found.st_size;
  source.modified_ns = ModifiedNs(found);
  if (static_cast<uint64_t>(source.bytes) > bytes_max) {
    return Fail(ErrorCode::kFailedPrecondition, "too_large",
                name + " has " + WithThousands(source.bytes) + " bytes, the limit is " +
                    WithThousands(bytes_max),
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
  TRY_ASSIGN(const FileHandle file, OpenToRead(source.path));
  std::string head(std::min(bytes, static_cast<size_t>(source.bytes)), '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (std::ferror(file.get()) != 0) return OpenFailure(errno, "The file");
  return head;
}

bool HasSqlName(const std::string& path) {
  const bool has_escape = path.find('\\') != std::string::npos;
  const bool has_pattern = path.find_first_of("*?[") != std::string::npos;
  return IsValidUtf8(path) && (!has_escape || !has_pattern);
}

Result<SourceFile> CopySource(const SourceFile& source, std::string_view private_dir,
                              const std::function<bool()>& interrupted) {
  SourceFile copy = source;
  copy.path = std::string(private_dir) + "/" + std::string(kCopyName);
  TRY_ASSIGN(const FileHandle in, OpenToRead(source.path));
  const FileHandle out(std::fopen(copy.path.c_str(), "wbe"), &std::fclose);
  if (out == nullptr) return Internal("cannot write into the private directory");
  std::string piece(kSniffBytes, '\0');
  while (const size_t got = std::fread(piece.data(), 1, piece.size(), in.get())) {
    if (std::fwrite(piece.data(), 1, got, out.get()) != got) break;
    if (interrupted()) return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
  }
  if (std::ferror(in.get()) != 0) return OpenFailure(errno, "The file");
  if (std::ferror(out.get()) != 0 || std::fflush(out.get()) != 0) {
    return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for a copy of the file");
  }
  return copy;
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
