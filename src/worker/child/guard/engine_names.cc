#include "worker/child/guard/engine_names.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/text.h"

namespace ducat::guard {
namespace {

constexpr size_t kNamesMax = 5;

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string_view AfterCandidates(std::string_view message) {
  const size_t at = message.find("\nCandidate ");
  return at == std::string_view::npos ? std::string_view{} : message.substr(at);
}

std::vector<std::string> AllQuoted(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t start = text.find('"'); start != std::string_view::npos;) {
    const size_t end = text.find('"', start + 1);
    if (end == std::string_view::npos) break;
    parts.emplace_back(text.substr(start + 1, end - start - 1));
    start = text.find('"', end + 1);
  }
  return parts;
}

bool IsPlainByte(char c) {
  return (AsciiLower(c) >= 'a' && AsciiLower(c) <= 'z') || IsAsciiDigit(c) || c == '_';
}

// A point may stand between a table and its column.
std::string Written(const std::string& name) {
  const bool plain = !IsAsciiDigit(name.front()) &&
                     std::ranges::all_of(name, [](char c) { return IsPlainByte(c) || c == '.'; });
  return plain || name.front() == '"' ? name : engine::QuoteIdentifier(name);
}

std::string WrittenList(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : ", ") + Written(name);
  }
  return list;
}

// Letters and digits only: "US Gross" is us_gross.
std::string Letters(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '_' && (IsPlainByte(c) || static_cast<unsigned char>(c) >= 0x80)) {
      letters += AsciiLower(c);
    }
  }
  return letters;
}

std::vector<std::string> Near(const std::string& name, const std::vector<std::string>& offered) {
  std::vector<std::string> same;
  std::ranges::copy_if(offered, std::back_inserter(same),
                       [&name](const std::string& one) { return Letters(one) == Letters(name); });
  if (!same.empty()) return same;
  std::vector<std::string> near = NearNames(name, offered, kNamesMax, NearFallback::kContaining);
  if (!near.empty()) return near;
  // The beginning of a longer name, misspelt.
  for (const std::string& one : offered) {
    const bool begins =
        one.size() > name.size() && !NearNames(name, {one.substr(0, name.size())}, 1).empty();
    if (begins) near.push_back(one);
  }
  return near;
}

}  // namespace

std::string FirstQuoted(std::string_view message) {
  const size_t start = message.find('"');
  if (start == std::string_view::npos) return {};
  const size_t end = message.find('"', start + 1);
  return std::string(
      message.substr(start + 1, end == std::string_view::npos ? end : end - start - 1));
}

std::optional<std::string> MissingColumn(const engine::EngineError& error) {
  if (error.subtype == "COLUMN_NOT_FOUND" && !error.name.empty()) return error.name;
  constexpr std::array<std::string_view, 4> kBefore{
      "does not have a column named ", "Referenced column ", "Could not find key ", "Column "};
  constexpr std::array<std::string_view, 3> kAfterColumn{"does not exist on", "list not found in",
                                                         "referenced in UNPIVOT"};
  const std::string_view message = error.message;
  for (const std::string_view before : kBefore) {
    const size_t at = message.find(before);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = message.substr(at + before.size());
    const bool known =
        before != kBefore.back() || std::ranges::any_of(kAfterColumn, [&](std::string_view after) {
          return Has(message, after);
        });
    if (!known) continue;
    if (rest.starts_with('"')) return FirstQuoted(rest);
    return std::string(rest.substr(0, rest.find(' ')));
  }
  return std::nullopt;
}

std::optional<std::string> UngroupedColumn(std::string_view message) {
  constexpr std::string_view kBefore = "column ";
  const size_t at = message.find(kBefore);
  const size_t end = message.find(" must appear in the GROUP BY clause");
  if (at == std::string_view::npos || end == std::string_view::npos || end < at) {
    return std::nullopt;
  }
  const std::string_view name = message.substr(at + kBefore.size(), end - at - kBefore.size());
  if (name.size() > 2 && name.starts_with('"') && name.ends_with('"')) {
    return std::string(name.substr(1, name.size() - 2));
  }
  return std::string(name);
}

std::vector<std::string> OfferedNames(const engine::EngineError& error) {
  // Some errors list them in their text alone.
  const std::vector<std::string> all =
      error.candidates.empty() ? AllQuoted(AfterCandidates(error.message)) : error.candidates;
  std::vector<std::string> names;
  for (std::string_view name : all) {
    name = Trim(name);
    const bool is_ours = Has(name, "_q.");  // the wrapper's
    if (name.empty() || is_ours || names.size() == kNamesMax) continue;
    names.emplace_back(name);
  }
  return names;
}

std::string ColumnHint(const std::string& name, const std::vector<std::string>& offered) {
  if (offered.empty()) return "DESCRIBE the table to see its columns.";
  if (const auto near = Near(name, offered); !near.empty()) {
    return "Did you mean " + WrittenList(near) + "?";
  }
  const bool more = offered.size() > kNamesMax;
  const std::vector<std::string> shown(
      offered.begin(),
      offered.begin() + static_cast<std::ptrdiff_t>(std::min(offered.size(), kNamesMax)));
  return "Names there: " + WrittenList(shown) + (more ? ", ..." : "") +
         "; DESCRIBE shows all of a table. Text goes in single quotes.";
}

}  // namespace ducat::guard
