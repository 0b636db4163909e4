#include "packs/analyst/path_glob.h"

#include <string>

#include "base/text.h"

namespace ducat::analyst {
namespace {

// The usual two-pointer matcher; a later `*` makes earlier ones final, so cost is |pattern| *
// |text| at worst. A single star of a path falls back to the last double star when it meets a "/".
struct Matcher {
  std::string_view pattern, text;
  bool path;  // "/" is special
  size_t p = 0, t = 0;
  size_t star_p = std::string_view::npos, star_t = 0;
  size_t deep_p = std::string_view::npos, deep_t = 0;

  bool Step() {
    if (p >= pattern.size()) return false;
    if (pattern[p] == '*') {
      if (path && p + 1 < pattern.size() && pattern[p + 1] == '*') {
        p += 2;
        if (p < pattern.size() && pattern[p] == '/') ++p;  // "**/x" also matches "x"
        deep_p = p, deep_t = t, star_p = std::string_view::npos;
      } else {
        star_p = ++p, star_t = t;
      }
      return true;
    }
    if (t >= text.size()) return false;
    const bool any = pattern[p] == '?' && (!path || text[t] != '/');
    if (!any && pattern[p] != text[t]) return false;
    ++p, ++t;
    return true;
  }

  bool Backtrack() {
    if (star_p != std::string_view::npos && star_t < text.size() &&
        (!path || text[star_t] != '/')) {
      p = star_p, t = ++star_t;
      return true;
    }
    if (deep_p != std::string_view::npos && deep_t < text.size()) {
      p = deep_p, t = ++deep_t, star_p = std::string_view::npos;
      return true;
    }
    return false;
  }

  bool Run() {
    while (p < pattern.size() || t < text.size()) {
      if (!Step() && !Backtrack()) return false;
    }
    return true;
  }
};

}  // namespace

bool MatchesPath(std::string_view pattern, std::string_view relative_path) {
  if (pattern.find('/') == std::string_view::npos) {
    relative_path = relative_path.substr(relative_path.rfind('/') + 1);
  }
  return Matcher{.pattern = pattern, .text = relative_path, .path = true}.Run();
}

bool MatchesName(std::string_view pattern, std::string_view name) {
  const std::string lower_pattern = AsciiLower(pattern), lower_name = AsciiLower(name);
  return Matcher{.pattern = lower_pattern, .text = lower_name, .path = false}.Run();
}

bool NameFilterMatches(std::string_view pattern, std::string_view name) {
  if (pattern.find_first_of("*?") != std::string_view::npos) return MatchesName(pattern, name);
  return AsciiLower(name).find(AsciiLower(pattern)) != std::string::npos;
}

}  // namespace ducat::analyst
