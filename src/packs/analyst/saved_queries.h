#pragma once
// SavedQueries: statements that an agent kept under a name, in one JSON file (analyst.md 5.9). The
// file of the data directory is read too, never written; a query of our own file hides one of the
// same name there. Written whole or not at all. Owned by the pack; control thread only.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/shape.h"
#include "packs/analyst/messages/query.h"

namespace ducat::analyst {

inline constexpr size_t kSavedQueriesMax = 500;
inline constexpr size_t kSavedToolNameMax = 34;  // longer names are not offered as tools
inline constexpr size_t kSavedParametersMax = 50;
inline constexpr size_t kSavedChoicesMax = 100;

struct SavedParameter {
  ParameterType type = ParameterType::kString;
  std::string description;
  std::optional<json::AnyValue> default_value;
  std::vector<std::string> choices;

  static constexpr auto Fields() {
    using json::Describe;
    using T = SavedParameter;
    return std::array{
        Describe<&T::type>("type", "Type of the value.", {.trim = true}),
        Describe<&T::description>("description", "What the value means.",
                                  {.min_length = 1, .max_length = 500, .free_text = true}),
        Describe<&T::default_value>("default", "Value when none is given; without it one must be."),
        Describe<&T::choices>("enum", "Only these texts are allowed (type string).",
                              {.max_items = kSavedChoicesMax,
                               .default_json = "[]",
                               .element_doc = "An allowed text."})};
  }
};

struct SavedQuery {
  std::string name, sql, description;
  std::map<std::string, SavedParameter> params;
  std::string updated;  // ISO 8601, UTC

  static constexpr auto Fields() {
    using json::Describe;
    using T = SavedQuery;
    return std::array{Describe<&T::name>("name", "Name of the query."),
                      Describe<&T::sql>("sql", "The statement."),
                      Describe<&T::description>("description", "What it answers."),
                      Describe<&T::params>("params", "Its parameters, by name."),
                      Describe<&T::updated>("updated", "When it was saved.")};
  }
};

// Name, parameters and defaults against the rules. Fails with invalid_name or invalid_arguments.
[[nodiscard]] Status CheckSavedQuery(const SavedQuery& query);

class SavedQueries {
 public:
  // `file`: where queries are kept; empty: they cannot be saved. `data_file`: of the data
  // directory.
  SavedQueries(std::string file, std::string data_file);

  // Reads both files. A file that is damaged or holds queries that break a rule is reported, what
  // is good in it is kept.
  [[nodiscard]] std::vector<Error> Load();

  [[nodiscard]] const SavedQuery* Find(std::string_view name) const;
  [[nodiscard]] std::vector<const SavedQuery*> All() const;  // by name

  // Adds or, with `replace`, replaces; tells whether it replaced. Nothing is changed unless the
  // file could be written. Fails with saved_query_exists, saved_queries_full or file_not_written.
  [[nodiscard]] Result<bool> Put(SavedQuery query, bool replace);

 private:
  [[nodiscard]] Status LoadFile(const std::string& file,
                                std::map<std::string, SavedQuery, std::less<>>& queries,
                                std::vector<Error>& problems) const;

  std::string file_, data_file_;
  std::map<std::string, SavedQuery, std::less<>> own_, shipped_;
};

}  // namespace ducat::analyst
