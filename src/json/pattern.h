#pragma once
// Patterns of string fields, judged as the schema's readers do (JSON Schema `pattern`, ECMA-262
// syntax without look-around, back references and lazy quantifiers): characters, `.`, classes, \d
// \w \s, groups,
// `|`, `? * + {m,n}`, `^ $`. All states are followed at once, so the time is linear in the text for
// any pattern. Patterns are ours, texts are not. A Pattern is immutable after Compile; any thread
// may match.

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ducat::json {

class Pattern {
 public:
  // Nothing when the pattern uses what is not supported, or is malformed.
  [[nodiscard]] static std::optional<Pattern> Compile(std::string_view pattern);

  // Whether some part of `text` matches, by characters; `^` and `$` stand for its ends.
  [[nodiscard]] bool Matches(std::string_view text) const;

 private:
  friend class PatternCompiler;
  struct Set {
    std::vector<std::pair<char32_t, char32_t>> ranges;
    bool negated = false;
    [[nodiscard]] bool Has(char32_t c) const;
  };
  enum class Op : uint8_t { kSet, kSplit, kBegin, kEnd, kMatch };
  struct Step {
    Op op = Op::kMatch;
    uint32_t set = 0;              // kSet
    uint32_t next = 0, other = 0;  // kSplit follows both
  };
  class Run;

  std::vector<Set> sets_;
  std::vector<Step> steps_;
  uint32_t start_ = 0;
};

}  // namespace ducat::json
