// save_query: keep a statement under a name, as a tool of its own (analyst.md 5.9).
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/saved_query_tools.h"
#include "packs/analyst/tools/statement_check.h"

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr std::string_view kDescription =
    "Save a SQL statement under a name, so that it can be run again as the tool saved_<name> "
    "with its parameters as arguments. Use it for a question that will come back, after query "
    "gave the right rows. To run something once use query; to see what is saved "
    "list_saved_queries.\n"
    "The statement is judged and bound first; if that fails nothing is saved. Writes one "
    "small file of the server, changes no data; saving the same again is harmless.\n"
    "Parameters: name; sql with $name for each parameter; description for agents; params "
    "describes every $name (type, which its values are checked and bound as, description, "
    "default, enum); replace overwrites.\n"
    "Returns what was saved and whether it replaced another. Names above 34 characters are "
    "saved, but become no tool.";

struct In {
  std::string name, sql, description;
  std::map<std::string, SavedParameter> params;
  bool replace = false;

  static constexpr auto Fields() {
    return std::array{
        Describe<&In::name>("name",
                            "Lower case letters, digits and _, begins with a letter; at most 63 "
                            "characters, 34 to become a tool.",
                            {.min_length = 1, .max_length = 63, .trim = true}),
        Describe<&In::sql>("sql", "One read-only statement; $name for each parameter.",
                           {.free_text = true}),
        Describe<&In::description>("description", "What the query answers, for agents.",
                                   {.min_length = 1, .max_length = 1000, .free_text = true}),
        Describe<&In::params>("params", "Every $name of the statement, by name without $.",
                              {.default_json = "{}"}),
        Describe<&In::replace>("replace", "Overwrite a saved query of this name.",
                               {.default_json = "false"})};
  }
};

struct Out {
  std::string name, sql, description;
  std::map<std::string, SavedParameter> params;
  bool replaced = false;

  static constexpr auto Fields() {
    return std::array{
        Describe<&Out::name>("name", "Name it was saved under."),
        Describe<&Out::sql>("sql", "The statement."),
        Describe<&Out::description>("description", "What it answers."),
        Describe<&Out::params>("params", "Its parameters, by name."),
        Describe<&Out::replaced>("replaced", "True: a query of this name was overwritten.")};
  }
};

using Saved = std::function<void(const SavedQuery&)>;

Task<Out> SaveQuery(Dataset& dataset, SavedQueries& queries, const Saved& saved, In in,
                    mcp::CallContext& context) {
  SavedQuery query{.name = std::move(in.name),
                   .sql = std::move(in.sql),
                   .description = std::move(in.description),
                   .params = std::move(in.params),
                   .updated = Iso8601Utc(dataset.clock().Wall())};
  CO_TRY(CheckSavedQuery(query));
  CO_TRY(co_await CheckStatement(dataset, query.sql, query.params, context));
  Out out{.name = query.name,
          .sql = query.sql,
          .description = query.description,
          .params = query.params};
  CO_TRY_ASSIGN(out.replaced, queries.Put(query, in.replace));
  saved(query);
  co_return out;
}

void Render(const Out& out, mcp::Text& text) {
  text.Line(std::string(out.replaced ? "Replaced " : "Saved ") + out.name + ": " + out.description);
  text.Add(out.sql).Line("");
  for (const auto& [name, parameter] : out.params) {
    std::string line = "$" + name + " (";
    line += json::EnumNames<ParameterType>::kNames.at(static_cast<size_t>(parameter.type));
    if (parameter.default_value.has_value()) line += ", default " + parameter.default_value->json;
    for (const std::string& choice : parameter.choices) {
      line += ", \"" + choice + "\"";
    }
    text.Line(line + "): " + parameter.description);
  }
}

}  // namespace

mcp::Tool MakeSaveQuery(Dataset& dataset, SavedQueries& queries, Saved saved) {
  std::vector<mcp::DeclaredError> errors = PlanErrors();
  errors.push_back({.reason = "saved_query_exists",
                    .code = ErrorCode::kFailedPrecondition,
                    .when = "the name is taken",
                    .recovery = "choose another name, or send replace: true"});
  errors.push_back({.reason = "invalid_name",
                    .code = ErrorCode::kInvalidArgument,
                    .when = "the name breaks the rule",
                    .recovery = "lower case letters, digits and _, at most 63 characters"});
  errors.push_back({.reason = "saved_queries_full",
                    .code = ErrorCode::kResourceExhausted,
                    .when = "500 queries are saved",
                    .recovery = "replace one that is no longer needed",
                    .retryable = false});
  errors.push_back({.reason = "file_not_written",
                    .code = ErrorCode::kUnavailable,
                    .when = "the file cannot be written",
                    .recovery = "tell the operator",
                    .retryable = false});
  return mcp::MakeTool<In, Out>(
      {.name = "save_query",
       .title = "Save a query",
       .description = std::string(kDescription),
       .read_only = false,
       .errors = std::move(errors),
       .scopes = {std::string(kWriteScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset, &queries, saved = std::move(saved)](In in, mcp::CallContext& context) {
        return SaveQuery(dataset, queries, saved, std::move(in), context);
      },
      &Render);
}

}  // namespace ducat::analyst
