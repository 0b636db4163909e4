#pragma once
// What to say of a column that stays text, and the SQL that reads it as meant (analyst.md 3.4): the
// expression follows from what all values of the column are, gives each value exactly, and NULL for
// one that could be two. Where a whole column could be two, both readings are given. Pure; any
// thread.

#include <string>
#include <string_view>

#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {

struct Advice {
  std::string_view message;
  std::string suggestion;  // an expression, or two with " or " between them
};

// `warning`: a code of TextType; `column`: quoted.
[[nodiscard]] Advice AdviceFor(std::string_view warning, const ColumnFacts& facts,
                               std::string_view column);

}  // namespace ducat::ingest
