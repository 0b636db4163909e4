#pragma once
// Types of text columns from what all their values are, and the SELECT that gives them these types.
// Job thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/text_class.h"
#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {

// One column of a source, as text.
struct TextColumn {
  std::string name;    // in the table
  std::string column;  // SQL of its text in the source
  TextOrigin origin = TextOrigin::kDelimited;
  ColumnFacts facts = {};  // of all values
  TextType type = {};      // filled by SettleTypes
  // The source gives the column in its type, nothing is left to cast.
  bool is_typed = false;
};

// What kept a column as text, with the figures of analyst.md 3.4.
struct TypeFinding {
  std::string code;
  std::string column;
  int64_t count = 0;  // values of the kind that the code names
  std::string message;
  std::string suggestion;  // SQL expression; may be empty
};

// Reads every value of the text columns of a source; gives the number of rows.
[[nodiscard]] engine::EngineResult<int64_t> ReadFacts(engine::Connection& connection,
                                                      std::string_view source_sql,
                                                      std::vector<TextColumn>& columns);

// Decides every type from the facts. `comma_decimals`: a lone comma may be the file's decimal
// separator.
[[nodiscard]] std::vector<TypeFinding> SettleTypes(bool comma_decimals,
                                                   std::vector<TextColumn>& columns);

// SELECT of the typed columns over the source.
[[nodiscard]] std::string TypedSelectSql(std::string_view source_sql,
                                         const std::vector<TextColumn>& columns);

}  // namespace ducat::ingest
