#include "packs/analyst/tools/statement_check.h"

#include <utility>

#include "json/encode.h"
#include "json/writer.h"
#include "packs/analyst/messages/query.h"
#include "packs/analyst/tools/table_access.h"

namespace ducat::analyst {
namespace {

json::AnyValue StandIn(const SavedParameter& parameter) {
  if (parameter.default_value.has_value()) return *parameter.default_value;
  if (!parameter.choices.empty()) {
    json::AnyValue choice{.json = {}};
    json::JsonWriter out(choice.json);
    out.String(parameter.choices.front());
    return choice;
  }
  switch (parameter.type) {
    case ParameterType::kInteger:
      return {.json = "1"};
    case ParameterType::kNumber:
      return {.json = "1.5"};
    case ParameterType::kBoolean:
      return {.json = "true"};
    case ParameterType::kString:
      return {.json = "\"\""};
    case ParameterType::kDate:
      return {.json = "\"2000-01-01\""};
    case ParameterType::kTimestamp:
      return {.json = "\"2000-01-01T00:00:00\""};
  }
  return {};
}

}  // namespace

Task<void> CheckStatement(Dataset& dataset, std::string sql,
                          std::map<std::string, SavedParameter> params, mcp::CallContext& context) {
  CO_TRY(co_await LoadTablesNamedIn(dataset, sql, context));
  ExplainQueryIn arguments{.sql = sql, .params = {}, .param_types = {}, .analyze = false};
  for (const auto& [name, parameter] : params) {
    arguments.params.emplace(name, StandIn(parameter));
    arguments.param_types.emplace(name, parameter.type);
  }
  TableJob job{.name = "explain_query", .arguments = json::Encode(arguments), .statement = sql};
  Result<worker::JobResult> result = co_await RunTableJob(dataset, std::move(job), context);
  if (!result) {
    co_return Failure(ExplainSqlError(std::move(result).error(), dataset));
  }
  co_return Result<void>{};
}

}  // namespace ducat::analyst
