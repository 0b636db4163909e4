#pragma once
// AnalystPack: everything that the analyst offers to clients, over one dataset. Registers its
// tools, resources, prompt and instructions; owns the dataset. Built by the app; control thread
// only.

#include "mcp/registry.h"
#include "packs/analyst/dataset.h"
#include "packs/analyst/saved_queries.h"
#include "packs/analyst/schema_resources.h"

namespace ducat::analyst {

class AnalystPack {
 public:
  AnalystPack(const DatasetParts& parts, FileScan scan);

  // Fails when a rule of the registry is broken. The registry outlives the pack.
  [[nodiscard]] Status Register(mcp::Registry& registry);
  // After the first reply has been written: walks the directory and begins to read it.
  void Start() { dataset_.Start(); }
  [[nodiscard]] Dataset& dataset() { return dataset_; }

 private:
  [[nodiscard]] Status RegisterSavedQueries(mcp::Registry& registry);
  void OfferSavedQuery(mcp::Registry& registry, const SavedQuery& query);

  Log& log_;
  Dataset dataset_;
  SavedQueries saved_queries_;
  SchemaResources resources_;
};

}  // namespace ducat::analyst
