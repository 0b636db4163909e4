#pragma once
// EngineLoss: what the engine, left alone with a delimited file, would do to one column: it decides
// a type by its first rows and reads the rest with it (analyst.md 3.4, `engine_would_lose`). Keeps
// the first values that this type changes or refuses. Fed by the scan; job thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/column_types.h"

namespace ducat::ingest {

// Rows that the engine's reader looks at by default.
inline constexpr int64_t kEngineSampleRows = 20'480;

class EngineLoss {
 public:
  // All values so far are what the engine would have looked at.
  void EndSample(TextClasses sampled);
  // A value that has been judged.
  void Look(TextClasses found, int64_t line, std::string_view text) {
    if ((found & ~kept_) != 0 && first_.size() < kShown) Keep(line, text);
  }
  // The finding of a column without another one; nothing when the engine loses nothing.
  [[nodiscard]] std::optional<TypeFinding> Finding(const TextColumn& column,
                                                   engine::Connection& connection) const;

 private:
  static constexpr size_t kShown = 3;
  struct Value {
    int64_t line = 0;
    std::string text;
  };
  void Keep(int64_t line, std::string_view text);
  [[nodiscard]] std::string Shown(std::string_view type, engine::Connection& connection) const;

  // Numbers of many digits are lost wherever they stand: the engine takes them for doubles.
  TextClasses kept_ = ~TextClasses{kInteger128 | kLongNumber};
  TextClasses sampled_ = 0;
  std::vector<Value> first_;
};

}  // namespace ducat::ingest
