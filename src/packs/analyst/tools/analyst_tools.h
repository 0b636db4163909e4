#pragma once
// The analyst's tools, one file each; analyst_pack.cc registers them in this order. A tool borrows
// the dataset, which outlives it. Control thread only.

#include "mcp/tool.h"
#include "packs/analyst/dataset.h"

namespace ducat::analyst {

[[nodiscard]] mcp::Tool MakeListTables(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeDescribeTable(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeProfileTable(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeSampleRows(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeQuery(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeExplainQuery(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeSearchColumns(Dataset& dataset);
[[nodiscard]] mcp::Tool MakeTableRelationships(Dataset& dataset);

}  // namespace ducat::analyst
