#pragma once
// SchemaResources: duckdb://schema, duckdb://schema/{table}, the prompt analyze_table and their
// completions (analyst.md 9). Owned by the pack; borrows the dataset; control thread only.

#include <string>
#include <vector>

#include "mcp/registry.h"
#include "packs/analyst/dataset.h"
#include "packs/analyst/messages/relationships.h"

namespace ducat::analyst {

class SchemaResources {
 public:
  explicit SchemaResources(Dataset& dataset) : dataset_(dataset) {}

  // Adds the resources and the prompt. The registry outlives this object's dataset.
  [[nodiscard]] Status Register(mcp::Registry& registry);

 private:
  [[nodiscard]] std::vector<mcp::ResourceEntry> List();
  [[nodiscard]] Task<mcp::ResourceContents> Read(std::string uri, mcp::CallContext& context);
  [[nodiscard]] Task<mcp::ResourceContents> ReadTable(std::string name, mcp::CallContext& context);
  [[nodiscard]] Task<void> FindRelationships(mcp::CallContext& context);
  [[nodiscard]] Task<std::vector<mcp::PromptBlock>> Analyze(
      std::map<std::string, std::string> arguments, mcp::CallContext& context);
  [[nodiscard]] mcp::Prompt AnalyzePrompt();
  [[nodiscard]] std::vector<std::string> TableNames();
  [[nodiscard]] std::vector<std::string> ColumnNames(const std::string& table);

  Dataset& dataset_;
  // Found once per version of the catalog.
  uint64_t related_version_ = 0;
  std::vector<RelationshipCandidate> related_;
};

}  // namespace ducat::analyst
