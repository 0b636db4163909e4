#include "packs/analyst/name_assignment.h"

#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "json/decode.h"
#include "json/encode.h"
#include "packs/analyst/table_names.h"

namespace ducat::analyst {
namespace {

constexpr size_t kNamesFileMax = size_t{64} << 20;
constexpr int64_t kNamesVersion = 1;
// A day: seen times move with every scan, the file need not.
constexpr int64_t kSeenStepSeconds = 24 * 3600;

struct NamesFile {
  int64_t version = kNamesVersion;
  std::vector<KnownName> names;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&NamesFile::version>("version", "format version"),
                      Describe<&NamesFile::names>("names", "assignments")};
  }
};

}  // namespace

NameAssignment::NameAssignment(std::vector<KnownName> known, int64_t now_s) : now_s_(now_s) {
  for (KnownName& entry : known) {
    if (now_s - entry.seen_s > kNameHeldSeconds ||
        !source_by_name_.emplace(entry.name, entry.source).second) {
      changed_ = true;
      continue;
    }
    std::string source = entry.source;
    by_source_.insert_or_assign(std::move(source), std::move(entry));
  }
}

std::string NameAssignment::Assign(const std::string& source, const std::string& wanted) {
  if (const auto known = by_source_.find(source); known != by_source_.end()) {
    if (now_s_ - known->second.seen_s > kSeenStepSeconds) changed_ = true;
    known->second.seen_s = now_s_;
    return known->second.name;
  }
  std::string name = wanted;
  for (int64_t next = 2; source_by_name_.contains(name); ++next) {
    const std::string suffix = "_" + std::to_string(next);
    name = wanted.substr(0, kTableNameMax - suffix.size()) + suffix;
  }
  changed_ = true;
  source_by_name_.emplace(name, source);
  by_source_.emplace(source, KnownName{.source = source, .name = name, .seen_s = now_s_});
  return name;
}

std::vector<KnownName> NameAssignment::Known() const {
  std::vector<KnownName> known;
  known.reserve(by_source_.size());
  for (const auto& [source, entry] : by_source_) {
    known.push_back(entry);
  }
  return known;
}

Result<std::vector<KnownName>> LoadNames(const std::string& file) {
  TRY_ASSIGN(const std::optional<std::string> text, ReadSmallFile(file, kNamesFileMax));
  if (!text.has_value()) return std::vector<KnownName>{};
  json::Document document;
  TRY_ASSIGN(const json::View root, document.Parse(*text, {.nodes_max = size_t{4} << 20}));
  TRY_ASSIGN(NamesFile names, json::Decode<NamesFile>(root));
  if (names.version != kNamesVersion) {
    return Fail(ErrorCode::kFailedPrecondition, "file_unreadable",
                file + " has version " + std::to_string(names.version) + ", not 1.");
  }
  return std::move(names.names);
}

Status SaveNames(const std::string& file, const NameAssignment& names) {
  NamesFile content;
  content.names = names.Known();
  return WriteFileAtomically(file, json::Encode(content) + "\n");
}

}  // namespace ducat::analyst
