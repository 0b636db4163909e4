#pragma once
// Tables as Markdown for the schema resources and the prompt (analyst.md 9). Pure functions of the
// catalog and of what a worker found; names from data are made harmless to show.

#include <string>
#include <vector>

#include "packs/analyst/catalog.h"
#include "packs/analyst/messages/describe.h"
#include "packs/analyst/messages/relationships.h"

namespace ducat::analyst {

inline constexpr size_t kSchemaTextMax = 16 * 1024;  // bytes; beyond: names only

// Every table with kind, rows, source, columns and types.
[[nodiscard]] std::string SchemaMarkdown(const Catalog& catalog);

struct TablePage {
  const TableEntry& entry;
  const DescribeTableOut& described;                  // no columns: the table is empty
  const std::vector<RelationshipCandidate>& related;  // those of other tables are left out
};
[[nodiscard]] std::string TableMarkdown(const TablePage& page);

}  // namespace ducat::analyst
