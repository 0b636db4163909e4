#include "packs/analyst/jobs/relationship_names.h"

#include <algorithm>

#include "base/text.h"

namespace ducat::analyst {
namespace {

// The singular of a word, by the rules s, es, ies; the word itself when none applies.
bool SameWord(std::string_view plural, std::string_view singular) {
  if (plural == singular) return true;
  if (!plural.starts_with(singular.substr(0, singular.empty() ? 0 : singular.size() - 1))) {
    return false;
  }
  const std::string word(singular);
  if (plural == word + "s" || plural == word + "es") return true;
  return word.ends_with('y') && plural == word.substr(0, word.size() - 1) + "ies";
}

bool IsNumber(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), IsAsciiDigit);
}

// "articles_2025_01" -> "articles"
std::string WithoutNumbers(std::string_view table) {
  std::string kept;
  for (size_t start = 0; start <= table.size();) {
    const size_t end = std::min(table.find('_', start), table.size());
    const std::string_view word = table.substr(start, end - start);
    if (!IsNumber(word) && !word.empty()) {
      if (!kept.empty()) kept += '_';
      kept += word;
    }
    start = end + 1;
  }
  return kept;
}

}  // namespace

std::optional<std::string> KeyStem(std::string_view column) {
  constexpr size_t kSuffixBytes = 2;
  if (column.size() <= kSuffixBytes) return std::nullopt;
  const std::string lower = AsciiLower(column);
  if (lower.ends_with("_id") && lower.size() > 3) return lower.substr(0, lower.size() - 3);
  const char before = column[column.size() - kSuffixBytes - 1];
  const bool is_camel =
      column.ends_with("Id") && ((before >= 'a' && before <= 'z') || IsAsciiDigit(before));
  if (is_camel) return lower.substr(0, lower.size() - kSuffixBytes);
  return std::nullopt;
}

bool IsNamedAfter(std::string_view table, std::string_view stem) {
  const std::string name = AsciiLower(table);
  return !stem.empty() && (SameWord(name, stem) || SameWord(stem, name));
}

bool IsOwnKeyTable(std::string_view table, std::string_view stem) {
  return IsNamedAfter(table, stem) || IsNamedAfter(WithoutNumbers(AsciiLower(table)), stem);
}

bool MayRefer(std::string_view column, std::string_view to_table, std::string_view to_column) {
  if (EqualsIgnoringCase(column, to_column)) return true;
  const std::optional<std::string> stem = KeyStem(column);
  if (!stem || !IsNamedAfter(to_table, *stem)) return false;
  return EqualsIgnoringCase(to_column, "id") || KeyStem(to_column) == stem;
}

}  // namespace ducat::analyst
