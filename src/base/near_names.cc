#include <algorithm>
#include <utility>

#include "base/text.h"

namespace ducat {

namespace {

constexpr size_t kDistanceMax = 2;
constexpr size_t kContainingMin = 3;  // a shorter name is contained in everything

// Characters without ASCII case; an ill-formed byte counts as one character.
std::u32string Characters(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Utf8Step step = NextUtf8(text);
    char32_t value = 0;
    for (const char c : text.substr(0, step.length)) {
      value = value << 8 | static_cast<unsigned char>(AsciiLower(c));
    }
    out.push_back(value);
    text.remove_prefix(step.length);
  }
  return out;
}

size_t Gap(size_t a, size_t b) {
  return a > b ? a - b : b - a;
}

// Only cells within `limit` of the diagonal can hold a distance <= limit, so the cost is linear.
size_t BandedDistance(const std::u32string& a, const std::u32string& b, size_t limit) {
  if (Gap(a.size(), b.size()) > limit) return limit + 1;
  const size_t far = limit + 1;
  std::vector<size_t> before(b.size() + 1, far), above(b.size() + 1, far), row(b.size() + 1, far);
  for (size_t j = 0; j <= std::min(limit, b.size()); ++j) {
    above[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    const size_t first = i > limit ? i - limit : 1;
    const size_t last = std::min(b.size(), i + limit);
    row[first - 1] = first == 1 && i <= limit ? i : far;
    size_t best = row[first - 1];
    for (size_t j = first; j <= last; ++j) {
      const size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      size_t cell = std::min({substitution, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cell = std::min(cell, before[j - 2] + 1);
      }
      row[j] = std::min(cell, far);
      best = std::min(best, row[j]);
    }
    if (last < b.size()) row[last + 1] = far;
    if (best > limit) return far;
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

bool Related(const std::string& name, const std::string& candidate) {
  if (name.size() < kContainingMin) return candidate.starts_with(name) && !name.empty();
  return candidate.find(name) != std::string::npos ||
         (candidate.size() >= kContainingMin && name.starts_with(candidate));
}

}  // namespace

size_t EditDistance(std::string_view a, std::string_view b, size_t limit) {
  // A character has at most four bytes: far apart in bytes is far apart in characters.
  const size_t shorter = std::min(a.size(), b.size());
  if (std::max(a.size(), b.size()) / 4 > shorter + limit) return limit + 1;
  return BandedDistance(Characters(a), Characters(b), limit);
}

std::vector<std::string> NearNames(std::string_view name,
                                   std::span<const std::string_view> candidates, size_t max,
                                   NearFallback fallback) {
  const size_t limit = std::min(kDistanceMax, CountCodePoints(name) / 3);
  std::vector<size_t> distances;
  distances.reserve(candidates.size());
  for (const std::string_view candidate : candidates) {
    distances.push_back(EditDistance(name, candidate, limit));
  }
  std::vector<std::string> out;
  for (size_t wanted = 0; wanted <= limit; ++wanted) {
    for (size_t i = 0; i < candidates.size() && out.size() < max; ++i) {
      if (distances[i] == wanted) out.emplace_back(candidates[i]);
    }
  }
  if (!out.empty() || fallback == NearFallback::kNone) return out;
  const std::string lower = AsciiLower(name);
  for (const std::string_view candidate : candidates) {
    if (out.size() < max && Related(lower, AsciiLower(candidate))) out.emplace_back(candidate);
  }
  return out;
}

std::vector<std::string> NearNames(std::string_view name,
                                   const std::vector<std::string>& candidates, size_t max,
                                   NearFallback fallback) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return NearNames(name, std::span<const std::string_view>(views), max, fallback);
}

}  // namespace ducat
