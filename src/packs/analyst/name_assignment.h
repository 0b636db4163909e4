#pragma once
// NameAssignment: which source has which table name, and keeps it (analyst.md 2.2). A new source
// takes the first free name and never renumbers another; a vanished one's name is held for 30 days.
// Lives for the process, or in names.json of the state directory. Control thread only.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/shape.h"

namespace ducat::analyst {

inline constexpr int64_t kNameHeldSeconds = int64_t{30} * 24 * 3600;

struct KnownName {
  std::string source;  // relative path or "db:<schema>.<name>"
  std::string name;
  int64_t seen_s = 0;  // since 1970

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&KnownName::source>("source", "path, or object of the database"),
                      Describe<&KnownName::name>("name", "table name"),
                      Describe<&KnownName::seen_s>("seen_s", "when it was last there")};
  }
};

class NameAssignment {
 public:
  // `known`: assignments of earlier scans; those held long enough are forgotten.
  NameAssignment(std::vector<KnownName> known, int64_t now_s);

  // The name of `source`; `wanted` when it is new and that name is free, else wanted_2, wanted_3,
  // ...
  [[nodiscard]] std::string Assign(const std::string& source, const std::string& wanted);

  // Everything to keep for the next scan, by source.
  [[nodiscard]] std::vector<KnownName> Known() const;
  // True when a source was added or forgotten since the start.
  [[nodiscard]] bool changed() const { return changed_; }

 private:
  int64_t now_s_;
  bool changed_ = false;
  std::map<std::string, KnownName> by_source_;
  std::map<std::string, std::string> source_by_name_;
};

// names.json. Loading gives nothing when there is no file; a damaged file is an error (the caller
// starts afresh and says so).
[[nodiscard]] Result<std::vector<KnownName>> LoadNames(const std::string& file);
[[nodiscard]] Status SaveNames(const std::string& file, const NameAssignment& names);

}  // namespace ducat::analyst
