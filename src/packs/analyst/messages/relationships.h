#pragma once
// Messages of the job "table_relationships" (analyst.md 5.8). Arguments and result are the tool's.
// Plain values, shared by the control plane and the job; no engine. Answers in META.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "json/shape.h"

namespace ducat::analyst {

enum class Cardinality : uint8_t { kManyToOne, kOneToOne };

}  // namespace ducat::analyst

template <>
struct ducat::json::EnumNames<ducat::analyst::Cardinality> {
  static constexpr std::array<std::string_view, 2> kNames{"many-to-one", "one-to-one"};
};

namespace ducat::analyst {

inline constexpr int64_t kRelatedTablesMax = 200;

// The control plane resolves "all ready tables"; the job takes the names it is given. Fails with
// unknown_table or a run-time reason of guard.md 8; a table that cannot be read is skipped.
struct TableRelationshipsIn {
  std::vector<std::string> tables;
  double min_containment = 0.9;
  int64_t sample_size = 1000;
  bool all_columns = false;

  static constexpr auto Fields() {
    using json::Describe;
    using T = TableRelationshipsIn;
    return std::array{
        Describe<&T::tables>("tables", "tables to compare"),
        Describe<&T::min_containment>("min_containment", "least share of sampled values found",
                                      {.minimum = 0, .maximum = 1, .default_json = "0.9"}),
        Describe<&T::sample_size>("sample_size", "",
                                  {.minimum = 10, .maximum = 100000, .default_json = "1000"}),
        Describe<&T::all_columns>("all_columns", "consider columns of any name",
                                  {.default_json = "false"})};
  }
};

struct RelationshipCandidate {
  std::string from_table, from_column, to_table, to_column;
  double containment = 0;
  int64_t sampled_values = 0;
  bool target_unique = true;
  Cardinality cardinality = Cardinality::kManyToOne;
  int64_t orphans_in_sample = 0;

  static constexpr auto Fields() {
    using json::Describe;
    using T = RelationshipCandidate;
    return std::array{Describe<&T::from_table>("from_table", ""),
                      Describe<&T::from_column>("from_column", ""),
                      Describe<&T::to_table>("to_table", ""),
                      Describe<&T::to_column>("to_column", ""),
                      Describe<&T::containment>("containment", "Share found."),
                      Describe<&T::sampled_values>("sampled_values", "Values looked up."),
                      Describe<&T::target_unique>("target_unique", ""),
                      Describe<&T::cardinality>("cardinality", "one-to-one: source unique too."),
                      Describe<&T::orphans_in_sample>("orphans_in_sample", "Values not found.")};
  }
};

struct TableRelationshipsOut {
  std::vector<RelationshipCandidate> candidates;
  int64_t sample_size = 0;
  double min_containment = 0;
  std::vector<std::string> skipped_tables;

  static constexpr auto Fields() {
    using json::Describe;
    using T = TableRelationshipsOut;
    return std::array{Describe<&T::candidates>("candidates", ""),
                      Describe<&T::sample_size>("sample_size", ""),
                      Describe<&T::min_containment>("min_containment", ""),
                      Describe<&T::skipped_tables>("skipped_tables", "Not compared.")};
  }
};

}  // namespace ducat::analyst
