#pragma once
// Judges written values: the class of one value (analyst.md 3.4), and what all values of a column
// are together. Every value of a file passes here, so a value costs one look at its bytes and no
// allocation. Pure; any thread.

#include <array>
#include <cstdint>
#include <string_view>

#include "worker/child/ingest/text_class.h"

namespace ducat::ingest {

// What a value tells beyond its class: how a number or a date that stays text is to be read.
enum ValueMark : uint16_t {
  kFractional = 1U << 0,    // has a decimal separator
  kScientific = 1U << 1,    // has an exponent
  kPointOnly = 1U << 2,     // 1.5 and 1,234,567: read with a decimal point or not at all
  kCommaOnly = 1U << 3,     // 1,5 and 1.234,50
  kPointOrComma = 1U << 4,  // 1,234 and 1.234: two numbers, by who wrote it
  kSlashed = 1U << 5,       // dates written with / . -
  kDotted = 1U << 6,
  kDashed = 1U << 7,
  kDateLike = 1U << 8,  // 20241231
  kNotDateLike = 1U << 9,
};
using ValueMarks = uint32_t;

// One value: its class, and the digits of a number before and behind its decimal separator.
struct ValueClass {
  TextClass text_class = kText;
  uint32_t whole_digits = 0;
  uint32_t fraction_digits = 0;
  ValueMarks marks = 0;
};

// `value` without outer spaces, not empty.
[[nodiscard]] ValueClass ClassifyValue(std::string_view value);

// All values of one column. Once a value is plain text the type is settled, and later ones are not
// judged any more.
struct ColumnFacts {
  TextClasses classes = 0;
  std::array<int64_t, kTextClassCount> counts{};  // by the number of the class's bit
  int64_t values = 0;                             // judged: not empty
  uint32_t whole_digits = 0, fraction_digits = 0;
  ValueMarks marks = 0;  // of any value
  // Some value has outer spaces, or is empty in quotes: a type's own reader might refuse it.
  bool needs_trim = false;

  // A delimited field; `quoted` when it was written in quotes.
  // Gives its class; 0 when it was not judged.
  TextClasses AddField(std::string_view text, bool quoted) {
    if ((classes & kText) != 0) return 0;
    if (text.empty()) {
      needs_trim = needs_trim || quoted;
      return 0;
    }
    if (text.front() == ' ' || text.back() == ' ') {
      needs_trim = true;
      text = WithoutSpaces(text);
      if (text.empty()) return 0;
    }
    const ValueClass value = ClassifyValue(text);
    Add(value);
    return value.text_class;
  }
  void Add(const ValueClass& value);
  void Merge(const ColumnFacts& other);
  // No value but NULL.
  [[nodiscard]] bool is_empty() const { return values == 0 && !needs_trim; }
  [[nodiscard]] bool Has(ValueMarks any) const { return (marks & any) != 0; }
  // How many values have one of the classes.
  [[nodiscard]] int64_t Count(TextClasses any) const;

 private:
  static std::string_view WithoutSpaces(std::string_view text);
};

}  // namespace ducat::ingest
