#include "worker/child/guard/paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"

namespace ducat::guard {
namespace {

bool HasScheme(std::string_view path) {
  size_t i = 0;
  while (i < path.size() &&
         (IsAsciiDigit(path[i]) || (AsciiLower(path[i]) >= 'a' && AsciiLower(path[i]) <= 'z') ||
          path[i] == '+' || path[i] == '-' || path[i] == '.')) {
    ++i;
  }
  return i > 0 && i < path.size() && path[i] == ':';
}

std::vector<std::string_view> Components(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.push_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

// The path from the data directory on, without "." and ".."; nothing when it leads out.
std::optional<std::vector<std::string_view>> Inside(std::string_view written,
                                                    std::string_view data_dir) {
  const bool absolute = written.starts_with('/');
  std::vector<std::string_view> parts =
      absolute ? std::vector<std::string_view>{} : Components(data_dir);
  for (const std::string_view part : Components(written)) {
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  const std::vector<std::string_view> root = Components(data_dir);
  if (data_dir.empty() || parts.size() < root.size() ||
      !std::equal(root.begin(), root.end(), parts.begin())) {
    return std::nullopt;
  }
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(root.size()));
  return parts;
}

bool HasControl(std::string_view text) {
  return std::ranges::any_of(text,
                             [](char c) { return static_cast<uint8_t>(c) < 0x20 || c == 0x7F; });
}

// For a message: quoted, without control characters, of bounded length.
std::string Shown(std::string_view path) {
  std::string shown(ClipUtf8(path, 200));
  for (char& c : shown) {
    if (static_cast<uint8_t>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return "'" + shown + (shown.size() < path.size() ? "…'" : "'");
}

std::string Join(const std::vector<std::string_view>& parts) {
  std::string path;
  for (const std::string_view part : parts) {
    if (!path.empty()) path += '/';
    path += part;
  }
  return path;
}

// Consumes [..] at the start of `pattern`; nothing when it does not close.
std::optional<bool> MatchSet(std::string_view& pattern, std::string_view character) {
  const size_t close = pattern.find(']', pattern.size() > 1 && pattern[1] == '!' ? 3 : 2);
  if (close == std::string_view::npos) return std::nullopt;
  std::string_view set = pattern.substr(1, close - 1);
  pattern.remove_prefix(close + 1);
  const bool negated = set.starts_with('!');
  if (negated) set.remove_prefix(1);
  bool hit = false;
  while (!set.empty()) {
    const std::string_view low = set.substr(0, NextUtf8(set).length);
    set.remove_prefix(low.size());
    if (set.size() > 1 && set[0] == '-') {
      set.remove_prefix(1);
      const std::string_view high = set.substr(0, NextUtf8(set).length);
      set.remove_prefix(high.size());
      // Code point order is byte order in UTF-8, the longer sequence being the larger.
      const auto key = [](std::string_view c) { return std::pair(c.size(), c); };
      hit = hit || (key(low) <= key(character) && key(character) <= key(high));
    } else {
      hit = hit || low == character;
    }
  }
  return hit != negated;
}

// One character against the start of the pattern, which moves on when it fits.
bool MatchOne(std::string_view& pattern, std::string_view character) {
  if (pattern.empty()) return false;
  if (pattern[0] == '?') {
    pattern.remove_prefix(1);
    return true;
  }
  if (pattern[0] == '[') {
    std::string_view rest = pattern;
    const auto hit = MatchSet(rest, character);
    if (!hit.has_value() || !*hit) return false;
    pattern = rest;
    return true;
  }
  if (!pattern.starts_with(character)) return false;
  pattern.remove_prefix(character.size());
  return true;
}

// One folder or file name; the last star is the only one that must be retried.
bool MatchesName(std::string_view pattern, std::string_view name) {
  std::optional<std::pair<std::string_view, std::string_view>> star;
  while (!name.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      star = {pattern, name};
      continue;
    }
    const std::string_view character = name.substr(0, NextUtf8(name).length);
    if (MatchOne(pattern, character)) {
      name.remove_prefix(character.size());
      continue;
    }
    if (!star.has_value()) return false;
    star->second.remove_prefix(NextUtf8(star->second).length);
    pattern = star->first;
    name = star->second;
  }
  return pattern.find_first_not_of('*') == std::string_view::npos;
}

using Parts = std::vector<std::string_view>;

bool MatchesParts(const Parts& pattern, const Parts& path) {
  // Row by row over "pattern so far matches path so far": ** may stand for any number of folders.
  std::vector<char> reached(path.size() + 1, 0);
  reached[0] = 1;
  for (const std::string_view part : pattern) {
    std::vector<char> next(path.size() + 1, 0);
    if (part == "**") {
      bool any = false;
      for (size_t i = 0; i <= path.size(); ++i) {
        any = any || reached[i] != 0;
        next[i] = any ? 1 : 0;
      }
    } else {
      for (size_t i = 0; i < path.size(); ++i) {
        if (reached[i] != 0 && MatchesName(part, path[i])) next[i + 1] = 1;
      }
    }
    reached = std::move(next);
  }
  return reached[path.size()] != 0;
}

// A backslash escapes in a glob of the engine, so a name with both cannot be put as a pattern.
bool IsNameable(std::string_view path) {
  return path.find('\\') == std::string_view::npos ||
         path.find_first_of("*?[") == std::string_view::npos;
}

void ExpandGlob(const std::string& pattern, const worker::child::MountedCatalog& catalog,
                PathVerdict& verdict) {
  const Parts parts = Components(pattern);
  for (const std::string& file : catalog.files()) {
    if (IsNameable(file) && MatchesParts(parts, Components(file))) verdict.files.push_back(file);
  }
  for (const std::string& file : catalog.outside_files()) {
    if (MatchesParts(parts, Components(file))) ++verdict.left_out;
  }
}

}  // namespace

bool LooksLikePath(std::string_view name) {
  return name.find_first_of("/\\.*?[~:") != std::string_view::npos;
}

bool MatchesGlob(std::string_view pattern, std::string_view path) {
  return MatchesParts(Components(pattern), Components(path));
}

PathVerdict JudgePath(std::string_view written, std::string_view data_dir,
                      const worker::child::MountedCatalog& catalog) {
  const std::string shown = Shown(written);
  const auto refuse = [](std::string code, std::string message) {
    return PathVerdict{.code = std::move(code), .message = std::move(message)};
  };
  if (HasScheme(written)) {
    return refuse("path_remote", "The path " + shown +
                                     " has a scheme: only files of the data directory are read.");
  }
  const auto inside = Inside(written, data_dir);
  const std::string out = "The path " + shown + " leads out of the data directory.";
  if (written.starts_with('~') || !inside.has_value()) return refuse("path_outside_data_dir", out);
  if (std::ranges::any_of(*inside, [](std::string_view part) { return part.starts_with('.'); })) {
    return refuse("path_hidden",
                  "The path " + shown + " is hidden: names that begin with a dot are not read.");
  }
  if (HasControl(written)) {
    return refuse("path_invalid", "The path " + shown + " has control characters in it.");
  }
  const std::string relative = Join(*inside);
  const bool folder = written.ends_with('/');
  PathVerdict verdict;
  if (!folder && catalog.outside_files().contains(relative)) {
    return refuse("path_outside_data_dir", out);
  }
  if (!folder && catalog.files().contains(relative)) {
    if (!IsNameable(relative)) {
      return refuse("path_invalid", "The name of " + shown + " has both a backslash and glob " +
                                        "characters, which SQL cannot express.");
    }
    verdict.files.push_back(relative);
    return verdict;
  }
  if (!folder && relative.find_first_of("*?[") != std::string::npos) {
    ExpandGlob(relative, catalog, verdict);
  }
  if (verdict.files.empty()) {
    return refuse("path_not_found",
                  "No visible file of the data directory is named " + shown + ".");
  }
  if (verdict.files.size() > kFilesPerLiteralMax) {
    return refuse("too_many_files",
                  "The pattern " + shown + " names " +
                      WithThousands(uint64_t{verdict.files.size()}) + " files; at most " +
                      WithThousands(uint64_t{kFilesPerLiteralMax}) + " can be read at once.");
  }
  return verdict;
}

std::string LiteralPath(std::string_view relative) {
  // The engine would take these for a home directory or a scheme.
  const size_t first = relative.find_first_of("/:");
  const bool special =
      relative.starts_with('~') || (first != std::string_view::npos && relative[first] == ':');
  std::string path = special ? "./" : "";
  for (const char c : relative) {
    if (c == '*' || c == '?' || c == '[') {
      path.append({'[', c, ']'});
    } else {
      path += c;
    }
  }
  return path;
}

std::string_view ReaderOf(std::string_view path) {
  struct Ending {
    std::string_view text, reader;
  };
  static constexpr std::array<Ending, 6> kEndings{{{".csv", "read_csv_auto"},
                                                   {".tsv", "read_csv_auto"},
                                                   {".json", "read_json_auto"},
                                                   {".jsonl", "read_json_auto"},
                                                   {".ndjson", "read_json_auto"},
                                                   {".parquet", "parquet_scan"}}};
  const std::string lower = AsciiLower(path);
  std::string_view name = lower;
  const bool packed = name.ends_with(".gz") || name.ends_with(".zst");
  if (packed) name.remove_suffix(name.ends_with(".gz") ? 3 : 4);
  for (const Ending& ending : kEndings) {
    if (!name.ends_with(ending.text)) continue;
    return packed && ending.text == ".parquet" ? std::string_view{} : ending.reader;
  }
  return {};
}

std::string_view BaseName(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  return path.substr(0, path.find('.'));
}

}  // namespace ducat::guard
