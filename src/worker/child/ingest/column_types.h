#pragma once
// Types of text columns from all their values: one scan of the source that ORs the classes of every
// column, and a second look at the few columns that need counts. Job thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"
#include "worker/child/ingest/text_class.h"

namespace ducat::ingest {

// One column of a source, as text.
struct TextColumn {
  std::string name;    // in the table
  std::string column;  // SQL of its text in the source
  TextOrigin origin = TextOrigin::kDelimited;
  TextClasses classes = 0;  // filled by ScanClasses
  TextType type = {};       // filled by SettleTypes
};

// What kept a column as text, with the figures of analyst.md 3.4.
struct TypeFinding {
  std::string code;
  std::string column;
  int64_t count = 0;  // values of the kind that the code names
  std::string message;
  std::string suggestion;  // SQL expression; may be empty
};

// ORs the class of every value into `columns`; gives the number of rows. Classes that are there
// stay.
[[nodiscard]] engine::EngineResult<int64_t> ScanClasses(engine::Connection& connection,
                                                        std::string_view source_sql,
                                                        std::vector<TextColumn>& columns);

// Decides every type. `comma_decimals`: a lone comma may be the file's decimal separator.
[[nodiscard]] engine::EngineResult<std::vector<TypeFinding>> SettleTypes(
    engine::Connection& connection, std::string_view source_sql, bool comma_decimals,
    std::vector<TextColumn>& columns);

// SELECT of the typed columns over the source.
[[nodiscard]] std::string TypedSelectSql(std::string_view source_sql,
                                         const std::vector<TextColumn>& columns);

}  // namespace ducat::ingest
