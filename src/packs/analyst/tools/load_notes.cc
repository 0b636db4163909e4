#include "packs/analyst/tools/load_notes.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "base/text.h"
#include "packs/analyst/tools/markdown_table.h"

namespace ducat::analyst {
namespace {

// Load warnings by what they mean for a query.
constexpr std::array<std::string_view, 3> kRejected{"footer", "long_row", "bad_record"};
constexpr std::array<std::string_view, 5> kKeptAsText{"ambiguous_date", "mixed_dates",
                                                      "number_format", "null_words", "digits_lost"};
constexpr size_t kColumnNotesMax = 3;

bool IsOneOf(const std::string& code, std::span<const std::string_view> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

std::string RejectedNote(const TableEntry& entry, const LoadWarning& warning) {
  return Counted(warning.count, "record") + " of " + entry.source + " could not be loaded (" +
         warning.code + ") and " + (warning.count == 1 ? "is" : "are") + " not in " + entry.name +
         "; describe_table tells more.";
}

}  // namespace

void AddLoadNotes(const Catalog& catalog, std::string_view sql, RowResult& rows) {
  const std::string lower = AsciiLower(sql);
  size_t columns = 0;
  for (const std::string& name : rows.tables) {
    const TableEntry* entry = catalog.Find(name);
    if (entry == nullptr) continue;
    for (const LoadWarning& warning : entry->warnings) {
      if (IsOneOf(warning.code, kRejected)) rows.notes.push_back(RejectedNote(*entry, warning));
      const bool is_text = warning.column.has_value() && IsOneOf(warning.code, kKeptAsText) &&
                           lower.find(AsciiLower(*warning.column)) != std::string::npos;
      if (!is_text || columns == kColumnNotesMax) continue;
      ++columns;
      rows.notes.push_back("Column " + *warning.column + " of " + entry->name + " is text (" +
                           warning.code + "); describe_table suggests how to read it.");
    }
  }
}

}  // namespace ducat::analyst
