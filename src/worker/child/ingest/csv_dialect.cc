#include "worker/child/ingest/csv_dialect.h"

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";
constexpr double kBlockShare = 0.6;  // records of the width, from the first of them to the last

constexpr size_t kTinyRecords = 4;  // so few that a header may be half of them

struct Candidate {
  CsvLayout layout;
  size_t records = 0;
  size_t hits = 0;    // records of the width
  size_t misses = 0;  // others, and records whose quotes are broken
  size_t block = 0;   // records from the first hit to the last
  size_t stray = 0;   // records with quotes inside values
  size_t quoted = 0;  // fields in quotes, of records whose quotes are right
  bool first_hits = false;
  bool first_has_number = false;
};

struct Width {
  size_t fields = 0;
  bool has_number = false;  // looked at in the first record only
  bool is_open = false;     // the last field is empty
};

struct Widths {
  std::vector<Width> all;  // of each record that is no blank and no remark
  size_t odd = 0;
  size_t stray = 0;
  size_t quoted = 0;  // fields in quotes of records that are not odd
};

bool HasNumber(const CsvRecord& record) {
  return std::any_of(record.fields.begin(), record.fields.end(), [](const CsvField& field) {
    return !field.text.empty() && IsAsciiDigit(field.text.front()) &&
           ClassifyValue(field.text).text_class != kText;
  });
}

Widths CutAll(const CsvHead& head, const CsvDialect& dialect) {
  Widths widths;
  CsvCutter cutter(dialect);
  CsvRecord record;
  std::string_view rest = head.text;
  while (!rest.empty() && cutter.Cut(rest, head.is_all, record)) {
    rest.remove_prefix(record.bytes);
    for (const CsvField& field : record.fields) {
      widths.quoted += field.quoted && !record.odd ? 1 : 0;
    }
    widths.odd += record.odd ? 1 : 0;
    widths.stray += record.stray && !record.unterminated ? 1 : 0;
    if (record.is_blank() || record.text.starts_with('#')) continue;
    const CsvField& last = record.fields.back();
    widths.all.push_back({.fields = record.width,
                          .has_number = widths.all.empty() && HasNumber(record),
                          .is_open = last.text.empty() && !last.quoted});
  }
  return widths;
}

// The most frequent width of two and more; of equal ones the largest.
size_t ModalWidth(const std::vector<Width>& widths) {
  std::map<size_t, size_t> counts;
  for (const Width& width : widths) {
    ++counts[width.fields];
  }
  size_t best = 1;
  size_t most = 0;
  for (const auto& [width, count] : counts) {
    if (width < 2 || count < most) continue;
    best = width;
    most = count;
  }
  return best;
}

Candidate Try(const CsvHead& head, const CsvDialect& dialect) {
  const Widths widths = CutAll(head, dialect);
  Candidate found{.layout = {.dialect = dialect, .columns = ModalWidth(widths.all)}};
  found.quoted = widths.quoted;
  found.stray = widths.stray;
  found.records = widths.all.size();
  size_t first = widths.all.size();
  size_t last = 0;
  bool all_open = true;
  for (size_t i = 0; i < widths.all.size(); ++i) {
    if (widths.all[i].fields != found.layout.columns) continue;
    ++found.hits;
    all_open = all_open && widths.all[i].is_open;
    first = std::min(first, i);
    last = i;
  }
  found.first_hits = first == 0;
  found.first_has_number = !widths.all.empty() && widths.all.front().has_number;
  found.block = found.hits == 0 ? 0 : last - first + 1;
  found.misses = widths.all.size() - found.hits + widths.odd;
  // Records that all end with a delimiter below a header that does not.
  const bool is_trailed = all_open && found.hits > 0 && !found.first_hits &&
                          found.layout.columns > 2 &&
                          widths.all[first - 1].fields + 1 == found.layout.columns;
  if (is_trailed) --found.layout.columns;
  return found;
}

// Enough records have the width for it to be more than an accident of prose.
bool IsTable(const Candidate& candidate) {
  if (candidate.layout.columns < 2) return false;
  const bool is_tiny = candidate.records <= kTinyRecords;
  const bool is_named = candidate.hits > 1 || !candidate.first_has_number;
  if (is_tiny && candidate.first_hits && candidate.hits >= candidate.misses && is_named) {
    return true;
  }
  return candidate.hits >= 2 &&
         static_cast<double>(candidate.hits) >= kBlockShare * static_cast<double>(candidate.block);
}

bool IsBetter(const Candidate& a, const Candidate& b) {
  if (a.misses != b.misses) return a.misses < b.misses;
  return a.layout.columns > b.layout.columns;
}

bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Single quotes only where nothing is in double ones and all of them close.
void TrySingleQuotes(const CsvHead& head, const CsvDialect& plain, Candidate& best) {
  const std::string_view text = head.text;
  const std::string opened{plain.delimiter, '\''};
  if (best.quoted > 0 || (!text.starts_with('\'') && !Holds(text, opened) && !Holds(text, "\n'"))) {
    return;
  }
  CsvDialect single = plain;
  single.quote = '\'';
  single.backslash = Holds(text, "\\'");
  const Candidate candidate = Try(head, single);
  if (candidate.quoted > 0 && candidate.misses <= best.misses) best = candidate;
}

Candidate BestQuotes(const CsvHead& head, char delimiter) {
  const std::string_view text = head.text;
  const CsvDialect plain{.delimiter = delimiter};
  Candidate best = Try(head, plain);
  const auto try_better = [&](const CsvDialect& dialect) {
    const Candidate candidate = Try(head, dialect);
    if (candidate.layout.columns > 1 && candidate.misses < best.misses) best = candidate;
  };
  if (Holds(text, "\\\"")) try_better({.delimiter = delimiter, .backslash = true});
  TrySingleQuotes(head, plain, best);
  // Quotes that are mostly wrong are text; right ones are never given up for a few wrong ones.
  if (best.stray > best.quoted) try_better({.delimiter = delimiter, .quote = CsvDialect::kNone});
  // Remarks behind values, where whole lines are remarks too.
  if (best.misses > 0 && (text.starts_with('#') || Holds(text, "\n#"))) {
    CsvDialect remarked = best.layout.dialect;
    remarked.remarks = true;
    try_better(remarked);
  }
  return best;
}

// 12,5 and 145,00 below one another are numbers, not two columns.
bool IsOneNumberEach(const CsvHead& head) {
  CsvCutter cutter({.delimiter = CsvDialect::kNone});
  CsvRecord record;
  std::string_view rest = head.text;
  bool is_first = true;
  size_t commas = 0;
  while (!rest.empty() && cutter.Cut(rest, head.is_all, record)) {
    rest.remove_prefix(record.bytes);
    if (record.is_blank()) continue;
    const std::string_view text = record.fields.front().text;
    const bool has_comma = Holds(text, ",");
    if (is_first && has_comma) return false;  // a header of one name has none
    if (!is_first && has_comma) {
      ++commas;
      const TextClass found = ClassifyValue(text).text_class;
      if (found != kDecimalComma && found != kFormattedNumber) return false;
    }
    is_first = false;
  }
  return commas > 0;
}

}  // namespace

CsvLayout DetectLayout(const CsvHead& head, std::string_view delimiter) {
  if (!delimiter.empty()) {
    const Candidate told = BestQuotes(head, delimiter.front());
    if (told.layout.columns > 1) return told.layout;
  }
  std::vector<Candidate> tables;
  for (const char c : kDelimiters) {
    Candidate candidate = BestQuotes(head, c);
    const bool is_number = c == ',' && candidate.layout.columns == 2 && IsOneNumberEach(head);
    if (IsTable(candidate) && !is_number) tables.push_back(candidate);
  }
  if (tables.empty()) {
    CsvLayout lines = BestQuotes(head, CsvDialect::kNone).layout;
    lines.columns = 1;
    return lines;
  }
  return std::min_element(tables.begin(), tables.end(), IsBetter)->layout;
}

}  // namespace ducat::ingest
