#pragma once
// The walk over the engine's syntax tree (guard.md 6.6): every object against the closed grammar,
// every table, function, reader, path and parameter against its list, every size against its limit.
// It also says which literal paths are to be replaced by explicit files. Pure; one walk per text,
// job thread.

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "json/view.h"
#include "worker/child/engine/connection.h"
#include "worker/child/guard/edited_text.h"
#include "worker/child/guard/finding.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/guard/planning_cost.h"
#include "worker/child/mounted_catalog.h"
#include "worker/hello.h"

namespace ducat::guard {

// Size limits (guard.md 6.8): beyond one of them a statement is query_too_complex.
struct SizeLimits {
  uint64_t tree_nodes_max = 100'000;
  uint64_t expression_depth_max = 1'000;
  uint64_t bracket_depth_max = 200;
  uint64_t table_references_max = 256;
  uint64_t ctes_max = 256;
  uint64_t lambda_depth_max = 8;
  uint64_t list_items_max = 50'000;
  double expanded_tokens_max = 300'000;       // where the parser copies
  uint64_t rescanned_bytes_max = 20'000'000;  // where its lexer goes back
  uint64_t parameters_max = 10'000;
  uint64_t subquery_depth_max = kSubqueryDepthMax;
  double planning_steps_max = kPlanningStepsMax;
};

struct WalkInput {
  const TokenList& tokens;  // of the text that was parsed
  const worker::child::MountedCatalog& catalog;
  worker::Profile profile = worker::Profile::kAnalyst;
  std::string_view data_dir;
  const SizeLimits& limits;
  // The rewritten text: readers may only name these paths, and lists of tables must be gone.
  const std::set<std::string, std::less<>>* written_paths = nullptr;
  // The SQL of an object in a database file: names in FROM are its neighbours' or another schema's
  // and only noted, files are never read. In lower case: what lies in the object's own schema.
  const std::set<std::string, std::less<>>* neighbours = nullptr;
};

// SHOW TABLES and its kin: answered from the catalog.
struct Listing {
  std::string catalog, schema, name;
};

struct WalkResult {
  Findings findings;
  std::set<std::string> tables, functions;  // stored SQL: names as written, in lower case
  std::vector<std::string> files;           // relative, in order of appearance
  std::vector<std::string> notes;
  std::vector<Replacement> replacements;             // of literal paths
  std::set<std::string, std::less<>> written_paths;  // absolute paths in them
  std::vector<std::string> parameters;               // lower case, each once
  std::vector<Listing> listings;
  bool reads_database = false;  // names an object of the database file
  bool reads_tables = false;
};

// `statement`: one element of `statements`.
[[nodiscard]] WalkResult WalkTree(json::View statement, const WalkInput& input);

}  // namespace ducat::guard
