#pragma once
// RowsFixture: results of a real engine as the JSON and the table that callers get, for unit tests
// of value writers. Not linked into the product.

#include <string>
#include <vector>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/rows/result_writer.h"
#include "worker/child/rows/string_output.h"

namespace ducat::rows {

class RowsFixture : public engine::EngineFixture {
 protected:
  // The rows of a statement as elements of a JSON array, without caps.
  std::string Json(const std::string& sql, const ValueStyle& style = kAnalystStyle) {
    auto rows = connection().RunReadable(sql);
    if (!rows.has_value()) return "(error) " + rows.error().message;
    const std::vector<std::string> names(rows->columns().size(), "c");
    worker::child::StringOutput output;
    const ResultLimits limits{
        .rows_max = 100'000, .bytes_max = 100'000'000, .cell_characters_max = 1'000'000};
    auto summary = WriteResult(*rows, names, limits, style, output);
    return summary.has_value() ? output.rows : "(error) " + summary.error().engine.message;
  }
};

}  // namespace ducat::rows
