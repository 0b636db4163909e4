#include "packs/analyst/analyst_pack.h"

#include <utility>

#include "packs/analyst/instructions.h"
#include "packs/analyst/tools/analyst_tools.h"

namespace ducat::analyst {

AnalystPack::AnalystPack(const DatasetParts& parts, FileScan scan)
    : dataset_(parts, std::move(scan)) {}

Status AnalystPack::Register(mcp::Registry& registry) {
  TRY(registry.AddTool(MakeListTables(dataset_)));
  TRY(registry.AddTool(MakeDescribeTable(dataset_)));
  TRY(registry.AddTool(MakeProfileTable(dataset_)));
  TRY(registry.AddTool(MakeSampleRows(dataset_)));
  TRY(registry.AddTool(MakeQuery(dataset_)));
  TRY(registry.AddTool(MakeExplainQuery(dataset_)));
  TRY(registry.AddTool(MakeSearchColumns(dataset_)));
  TRY(registry.AddTool(MakeTableRelationships(dataset_)));
  registry.SetInstructions([this] {
    dataset_.TryListNow();
    return Instructions(dataset_);
  });
  return {};
}

}  // namespace ducat::analyst
