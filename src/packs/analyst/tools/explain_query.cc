// explain_query: the plan of a statement, without its rows (analyst.md 5.6).
#include <array>
#include <map>
#include <string>
#include <utility>

#include "packs/analyst/tools/analyst_tools.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/markdown_table.h"
#include "packs/analyst/tools/table_access.h"

namespace ducat::analyst {
namespace {

using json::Describe;

constexpr std::string_view kDescription =
    "Show how the engine would run a statement: its physical plan with scans, filters, joins, "
    "estimated rows. Use it when a query is slow, or to check that a statement is allowed and "
    "binds. For rows use query; for columns describe_table.\n"
    "Only with analyze it is executed, under the deadline: operators show time and rows, rows "
    "are dropped. Changes nothing.\n"
    "Parameters: sql and params as in query; analyze.\n"
    "Returns the plan (at most 20,000 characters) and the tables read.";

struct In {
  std::string sql;
  std::map<std::string, json::AnyValue> params;
  bool analyze = false;

  static constexpr auto Fields() {
    return std::array{
        Describe<&In::sql>("sql", "As for query.", {.free_text = true}),
        Describe<&In::params>("params", "As for query.", {.default_json = "{}"}),
        Describe<&In::analyze>("analyze", "Execute and measure.", {.default_json = "false"})};
  }
};

Task<ExplainQueryOut> Explain(Dataset& dataset, In in, mcp::CallContext& context) {
  CO_TRY(co_await LoadTablesNamedIn(dataset, in.sql, context));
  const ExplainQueryIn arguments{
      .sql = in.sql, .params = std::move(in.params), .analyze = in.analyze};
  TableJob job{.name = "explain_query", .arguments = json::Encode(arguments), .statement = in.sql};
  Result<worker::JobResult> result = co_await RunTableJob(dataset, std::move(job), context);
  if (!result) {
    co_return Failure(ExplainSqlError(std::move(result).error(), dataset));
  }
  co_return DecodeMessage<ExplainQueryOut>(result->meta);
}

void Render(const ExplainQueryOut& out, mcp::Text& text) {
  text.Line("```").Add(out.plan);
  if (!out.plan.ends_with('\n')) text.Line("");
  text.Line("```");
  std::string line = out.analyzed ? "executed in " : "not executed, planned in ";
  line += Milliseconds(out.elapsed_ms);
  for (size_t i = 0; i < out.tables.size(); ++i) {
    line += (i == 0 ? "; reads " : ", ") + out.tables[i];
  }
  text.Line(line);
  text.Add("statement: " + out.sql).Line("");
}

}  // namespace

mcp::Tool MakeExplainQuery(Dataset& dataset) {
  return mcp::MakeTool<In, ExplainQueryOut>(
      {.name = "explain_query",
       .title = "Explain a SQL query",
       .description = std::string(kDescription),
       .errors = PlanErrors(),
       .scopes = {std::string(kReadScope)},
       .error_style = mcp::ErrorStyle::kBracketed},
      [&dataset](In in, mcp::CallContext& context) {
        return Explain(dataset, std::move(in), context);
      },
      &Render);
}

}  // namespace ducat::analyst
