#include "json/pattern.h"

#include <algorithm>

#include "base/text.h"

namespace ducat::json {

namespace {

constexpr size_t kStepsMax = 10'000;
constexpr size_t kGroupDepthMax = 20;
constexpr uint32_t kRepeatMax = 1'000;

// The character at the start of `text`, which is taken off; ill-formed bytes stand for themselves.
char32_t TakeCharacter(std::string_view& text) {
  const Utf8Step step = NextUtf8(text);
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  char32_t value = byte(0);
  if (step.valid && step.length > 1) {
    value &= 0x7FU >> step.length;
    for (size_t i = 1; i < step.length; ++i) {
      value = value << 6 | (byte(i) & 0x3FU);
    }
  }
  text.remove_prefix(step.valid ? step.length : 1);
  return value;
}

}  // namespace

bool Pattern::Set::Has(char32_t c) const {
  const bool inside = std::ranges::any_of(
      ranges, [c](const auto& range) { return c >= range.first && c <= range.second; });
  return inside != negated;
}

// Recursive descent over the pattern, building steps from back to front: each part is compiled with
// the step that follows it and gives the step to enter it.
class PatternCompiler {
 public:
  explicit PatternCompiler(std::string_view pattern) : pattern_(pattern) {}

  std::optional<Pattern> Compile() {
    const uint32_t match = Add({.op = Pattern::Op::kMatch});
    // Parts are compiled for a known successor, so a sequence is first split, then compiled
    // backwards.
    out_.start_ = Either(pattern_, match, 0);
    if (failed_) return std::nullopt;
    return std::move(out_);
  }

 private:
  struct Part {
    std::string_view atom;
    uint32_t least = 1;
    std::optional<uint32_t> most = 1;
  };

  uint32_t Fail() {
    failed_ = true;
    return 0;
  }

  uint32_t Add(Pattern::Step step) {
    if (out_.steps_.size() >= kStepsMax) return Fail();
    out_.steps_.push_back(step);
    return static_cast<uint32_t>(out_.steps_.size() - 1);
  }

  // Length of the atom at the start of `text`: one character, an escape, a class or a group.
  size_t AtomLength(std::string_view text) {
    if (text[0] == '\\') return text.size() > 1 ? 2 : Fail();
    if (text[0] != '[' && text[0] != '(') return NextUtf8(text).length;
    size_t depth = 0;
    bool in_class = false;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\\') {
        ++i;
      } else if (in_class) {
        in_class = c != ']';
      } else if (c == '[') {
        in_class = true;
      } else if (c == '(') {
        ++depth;
      } else if (c == ')') {
        --depth;
      }
      if (!in_class && depth == 0 && i < text.size()) return i + 1;
    }
    return Fail();
  }

  uint32_t Either(std::string_view text, uint32_t next, size_t depth) {
    if (failed_ || depth > kGroupDepthMax) return Fail();
    std::vector<std::string_view> branches;
    size_t start = 0, i = 0;
    while (i < text.size() && !failed_) {
      if (text[i] == '|') {
        branches.push_back(text.substr(start, i - start));
        start = ++i;
      } else if (text[i] == ')') {
        return Fail();
      } else {
        i += AtomLength(text.substr(i));
      }
    }
    branches.push_back(text.substr(start));
    uint32_t entry = Sequence(branches.back(), next, depth);
    for (size_t b = branches.size() - 1; b > 0; --b) {
      const uint32_t branch = Sequence(branches[b - 1], next, depth);
      entry = Add({.op = Pattern::Op::kSplit, .next = branch, .other = entry});
    }
    return entry;
  }

  uint32_t Sequence(std::string_view text, uint32_t next, size_t depth) {
    std::vector<Part> parts;
    while (!text.empty() && !failed_) {
      if (std::string_view("*+?{").find(text[0]) != std::string_view::npos) return Fail();
      Part part{.atom = text.substr(0, AtomLength(text))};
      text.remove_prefix(part.atom.size());
      TakeQuantifier(text, part);
      parts.push_back(part);
    }
    for (auto part = parts.rbegin(); part != parts.rend() && !failed_; ++part) {
      next = Repeat(*part, next, depth);
    }
    return next;
  }

  void TakeQuantifier(std::string_view& text, Part& part) {
    if (text.empty()) return;
    if (text[0] == '*' || text[0] == '+') {
      part.least = text[0] == '+' ? 1 : 0;
      part.most = std::nullopt;
    } else if (text[0] == '?') {
      part.least = 0;
    } else if (text[0] == '{') {
      return TakeCounts(text, part);
    } else {
      return;
    }
    text.remove_prefix(1);
  }

  uint32_t TakeCount(std::string_view& text) {
    uint32_t value = 0;
    if (text.empty() || !IsAsciiDigit(text[0])) return Fail();
    while (!text.empty() && IsAsciiDigit(text[0]) && value <= kRepeatMax) {
      value = value * 10 + static_cast<uint32_t>(text[0] - '0');
      text.remove_prefix(1);
    }
    return value <= kRepeatMax ? value : Fail();
  }

  void TakeCounts(std::string_view& text, Part& part) {
    text.remove_prefix(1);
    part.least = TakeCount(text);
    part.most = part.least;
    if (text.starts_with(',')) {
      text.remove_prefix(1);
      part.most = std::nullopt;
      if (!text.starts_with('}')) part.most = TakeCount(text);
    }
    if (!text.starts_with('}') || (part.most && *part.most < part.least)) {
      Fail();
      return;
    }
    text.remove_prefix(1);
  }

  uint32_t Repeat(const Part& part, uint32_t next, size_t depth) {
    if (!part.most) {
      const uint32_t loop = Add({.op = Pattern::Op::kSplit, .other = next});
      const uint32_t body = Atom(part.atom, loop, depth);
      if (failed_) return 0;
      out_.steps_[loop].next = body;
      next = loop;
    } else {
      const uint32_t behind = next;
      for (uint32_t i = part.least; i < *part.most && !failed_; ++i) {
        next =
            Add({.op = Pattern::Op::kSplit, .next = Atom(part.atom, next, depth), .other = behind});
      }
    }
    for (uint32_t i = 0; i < part.least && !failed_; ++i) {
      next = Atom(part.atom, next, depth);
    }
    return next;
  }

  uint32_t Atom(std::string_view atom, uint32_t next, size_t depth) {
    if (failed_) return 0;
    if (atom[0] == '(') {
      atom = atom.substr(1, atom.size() - 2);
      if (atom.starts_with("?:")) {
        atom.remove_prefix(2);
      } else if (atom.starts_with('?')) {
        return Fail();
      }
      return Either(atom, next, depth + 1);
    }
    if (atom == "^") return Add({.op = Pattern::Op::kBegin, .next = next});
    if (atom == "$") return Add({.op = Pattern::Op::kEnd, .next = next});
    Pattern::Set set;
    if (atom == ".") {
      set = {.ranges = {{'\n', '\n'}, {'\r', '\r'}}, .negated = true};
    } else if (atom[0] == '[') {
      Class(atom.substr(1, atom.size() - 2), set);
    } else {
      Member(atom, set);
    }
    out_.sets_.push_back(std::move(set));
    return Add({.op = Pattern::Op::kSet,
                .set = static_cast<uint32_t>(out_.sets_.size() - 1),
                .next = next});
  }

  void Class(std::string_view inside, Pattern::Set& set) {
    if (inside.starts_with('^')) {
      set.negated = true;
      inside.remove_prefix(1);
    }
    while (!inside.empty() && !failed_) {
      const std::optional<char32_t> first = Member(inside, set);
      if (!first || inside.size() < 2 || inside[0] != '-') continue;
      inside.remove_prefix(1);
      const std::optional<char32_t> last = Member(inside, set);
      if (!last || *last < *first) {
        Fail();
        return;
      }
      set.ranges.emplace_back(*first, *last);
    }
  }

  // Takes one character or escape into the set; the character when it is a single one.
  std::optional<char32_t> Member(std::string_view& text, Pattern::Set& set) {
    char32_t c = TakeCharacter(text);
    if (c == '\\') {
      if (text.empty()) return Fail(), std::nullopt;
      c = TakeCharacter(text);
      if (Shorthand(c, set)) return std::nullopt;
      const std::string_view marks = "^$\\.*+?()[]{}|/-_";
      if (c == 'n' || c == 't' || c == 'r') {
        c = c == 'n' ? '\n' : c == 't' ? '\t' : '\r';
      } else if (c > 0x7E || marks.find(static_cast<char>(c)) == std::string_view::npos) {
        return Fail(), std::nullopt;
      }
    }
    set.ranges.emplace_back(c, c);
    return c;
  }

  static bool Shorthand(char32_t letter, Pattern::Set& set) {
    using Ranges = std::vector<std::pair<char32_t, char32_t>>;
    Ranges ranges;
    if (letter == 'd') ranges = {{'0', '9'}};
    if (letter == 'w') ranges = {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}, {'_', '_'}};
    if (letter == 's') ranges = {{'\t', '\r'}, {' ', ' '}, {0xA0, 0xA0}, {0x2028, 0x2029}};
    set.ranges.insert(set.ranges.end(), ranges.begin(), ranges.end());
    return !ranges.empty();
  }

  std::string_view pattern_;
  bool failed_ = false;
  Pattern out_;
};

std::optional<Pattern> Pattern::Compile(std::string_view pattern) {
  return PatternCompiler(pattern).Compile();
}

// All states that the text so far allows.
class Pattern::Run {
 public:
  explicit Run(const Pattern& pattern) : pattern_(pattern), marks_(pattern.steps_.size(), 0) {}

  bool Matches(std::string_view text) {
    for (bool first = true;; first = false) {
      ++position_;
      states_.clear();
      for (const uint32_t step : arriving_) {
        Enter(step, first, text.empty());
      }
      Enter(pattern_.start_, first, text.empty());
      if (matched_) return true;
      if (text.empty()) return false;
      Advance(TakeCharacter(text));
    }
  }

 private:
  // Follows what consumes nothing; each step at most once per position.
  void Enter(uint32_t entry, bool at_begin, bool at_end) {
    pending_.assign(1, entry);
    while (!pending_.empty()) {
      const uint32_t index = pending_.back();
      pending_.pop_back();
      if (marks_[index] == position_) continue;
      marks_[index] = position_;
      const Step& step = pattern_.steps_[index];
      switch (step.op) {
        case Op::kMatch:
          matched_ = true;
          break;
        case Op::kSet:
          states_.push_back(index);
          break;
        case Op::kSplit:
          pending_.push_back(step.other);
          pending_.push_back(step.next);
          break;
        case Op::kBegin:
          if (at_begin) pending_.push_back(step.next);
          break;
        case Op::kEnd:
          if (at_end) pending_.push_back(step.next);
          break;
      }
    }
  }

  void Advance(char32_t c) {
    arriving_.clear();
    for (const uint32_t index : states_) {
      const Step& step = pattern_.steps_[index];
      if (pattern_.sets_[step.set].Has(c)) arriving_.push_back(step.next);
    }
  }

  const Pattern& pattern_;
  std::vector<uint64_t> marks_;
  uint64_t position_ = 0;
  std::vector<uint32_t> states_, arriving_, pending_;
  bool matched_ = false;
};

bool Pattern::Matches(std::string_view text) const {
  return Run(*this).Matches(text);
}

}  // namespace ducat::json
