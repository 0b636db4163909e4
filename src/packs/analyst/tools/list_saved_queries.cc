// list_saved_queries: what was saved, and whether it still works (analyst.md 5.9).
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/saved_query_tools.h"
#include "packs/analyst/tools/statement_check.h"

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr std::string_view kDescription =
    "List the saved queries with SQL, parameters and whether they still work on the tables as "
    "they are. Use it to see what is prepared before writing SQL, or why a saved query fails. "
    "To run one call its tool saved_<name>; to add one use save_query; for other SQL query. "
    "Each statement is judged and bound anew, none is executed; changes nothing.\n"
    "Takes no arguments.\n"
    "Returns the queries by name; valid false comes with the problem, such as a table that is "
    "gone.";

struct In {
  static constexpr auto Fields() { return std::array<json::Field, 0>{}; }
};

struct Listed {
  std::string name, sql, description;
  std::map<std::string, SavedParameter> params;
  std::string updated;
  bool valid = true;
  std::optional<std::string> problem;

  static constexpr auto Fields() {
    using L = Listed;
    return std::array{Describe<&L::name>("name", "Name; the tool is saved_<name>."),
                      Describe<&L::sql>("sql", "The statement."),
                      Describe<&L::description>("description", "What it answers."),
                      Describe<&L::params>("params", "Its parameters, by name."),
                      Describe<&L::updated>("updated", "When it was saved."),
                      Describe<&L::valid>("valid", "The statement may run and binds now."),
                      Describe<&L::problem>("problem", "Why it is not valid.")};
  }
};

struct Out {
  std::vector<Listed> queries;

  static constexpr auto Fields() {
    return std::array{Describe<&Out::queries>("queries", "Saved queries, by name.")};
  }
};

Task<Out> ListSavedQueries(Dataset& dataset, SavedQueries& queries, mcp::CallContext& context) {
  std::vector<SavedQuery> saved;  // copies: queries may be saved while statements are checked
  for (const SavedQuery* query : queries.All()) {
    saved.push_back(*query);
  }
  Out out;
  for (SavedQuery& query : saved) {
    const Status checked = co_await CheckStatement(dataset, query.sql, query.params, context);
    if (context.cancel.cancelled()) co_return Failure(checked ? Error{} : checked.error());
    Listed listed{.name = std::move(query.name),
                  .sql = std::move(query.sql),
                  .description = std::move(query.description),
                  .params = std::move(query.params),
                  .updated = std::move(query.updated),
                  .valid = checked.has_value(),
                  .problem = {}};
    if (!checked) listed.problem = checked.error().reason + ": " + checked.error().message;
    out.queries.push_back(std::move(listed));
  }
  co_return out;
}

void Render(const Out& out, mcp::Text& text) {
  for (const Listed& query : out.queries) {
    text.Line("saved_" + query.name + (query.valid ? "" : " (not valid)") + ": " +
              query.description);
    text.Add(query.sql).Line("");
    for (const auto& [name, parameter] : query.params) {
      std::string line = "$" + name + " ";
      line += json::EnumNames<ParameterType>::kNames.at(static_cast<size_t>(parameter.type));
      if (parameter.default_value.has_value()) line += " (" + parameter.default_value->json + ")";
      for (const std::string& choice : parameter.choices) {
        line += " \"" + choice + "\"";
      }
      text.Line(line + ": " + parameter.description);
    }
    if (query.problem.has_value()) text.Line("problem: " + *query.problem);
    text.Line("updated " + query.updated);
    text.Line("");
  }
  text.Line(std::to_string(out.queries.size()) +
            (out.queries.size() == 1 ? " saved query" : " saved queries"));
}

}  // namespace

mcp::Tool MakeListSavedQueries(Dataset& dataset, SavedQueries& queries) {
  return mcp::MakeTool<In, Out>(
      {.name = "list_saved_queries",
       .title = "List saved queries",
       .description = std::string(kDescription),
       .errors = {},
       .scopes = {std::string(kReadScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset, &queries](In, mcp::CallContext& context) {
        return ListSavedQueries(dataset, queries, context);
      },
      &Render);
}

}  // namespace ducat::analyst
