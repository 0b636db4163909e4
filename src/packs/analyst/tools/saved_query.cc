// saved_<name>: a saved query as a tool of its own, with a table of fields built when it was saved.
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "json/writer.h"
#include "packs/analyst/tools/declared_errors.h"
#include "packs/analyst/tools/row_query.h"
#include "packs/analyst/tools/saved_query_tools.h"

namespace ducat::analyst {
namespace {

// One argument, in the member that its type uses.
struct SavedValue {
  bool boolean = false;
  int64_t integer = 0;
  double number = 0;
  std::string text;
  uint8_t choice = 0;
};
struct SavedValues {
  std::vector<SavedValue> values;  // one per parameter, in name order
};

template <auto Member>
void* AddressOf(void* object, uint32_t slot) {
  return &(static_cast<SavedValues*>(object)->values[slot].*Member);
}

// The tables that describe one saved query; the tool keeps it alive.
struct SavedShape {
  SavedQuery query;
  std::vector<std::string> names;  // of parameters, by slot
  std::deque<std::string> docs;
  std::deque<std::vector<std::string_view>> choice_names;
  std::deque<json::Shape> choice_shapes;
  std::vector<json::Field> fields;
  json::Shape shape;
};

// The format date-time would ask for a zone, which most timestamps in files have not.
constexpr std::string_view kTimestampPattern =
    "^[0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?"
    "([Zz]|[+-][0-9]{2}:[0-9]{2})?)?$";

void AddTime(SavedShape& saved, const SavedParameter& parameter, json::Field& field) {
  field.shape = &json::kShape<std::string>, field.at = &AddressOf<&SavedValue::text>;
  field.rule.trim = true;
  if (parameter.type == ParameterType::kDate) {
    field.rule.format = json::Format::kDate;
    field.doc = saved.docs.emplace_back(parameter.description + " (YYYY-MM-DD)");
  } else {
    field.rule.pattern = kTimestampPattern;
    field.doc = saved.docs.emplace_back(parameter.description + " (as in 2024-01-31T18:30:00)");
  }
}

void AddField(SavedShape& saved, const std::string& name, const SavedParameter& parameter) {
  json::Field field{.name = name,
                    .doc = parameter.description,
                    .slot = static_cast<uint32_t>(saved.fields.size())};
  if (parameter.default_value.has_value()) field.rule.default_json = parameter.default_value->json;
  switch (parameter.type) {
    case ParameterType::kInteger:
      field.shape = &json::kShape<int64_t>, field.at = &AddressOf<&SavedValue::integer>;
      break;
    case ParameterType::kNumber:
      field.shape = &json::kShape<double>, field.at = &AddressOf<&SavedValue::number>;
      break;
    case ParameterType::kBoolean:
      field.shape = &json::kShape<bool>, field.at = &AddressOf<&SavedValue::boolean>;
      break;
    case ParameterType::kString:
      field.shape = &json::kShape<std::string>, field.at = &AddressOf<&SavedValue::text>;
      field.rule.free_text = true;
      break;
    case ParameterType::kDate:
    case ParameterType::kTimestamp:
      AddTime(saved, parameter, field);
      break;
  }
  if (!parameter.choices.empty()) {
    auto& names =
        saved.choice_names.emplace_back(parameter.choices.begin(), parameter.choices.end());
    field.shape = &saved.choice_shapes.emplace_back(
        json::Shape{.kind = json::Kind::kEnum, .names = names, .size = sizeof(SavedValue::choice)});
    field.at = &AddressOf<&SavedValue::choice>;
  }
  saved.fields.push_back(field);
}

std::shared_ptr<const SavedShape> ShapeOfQuery(const SavedQuery& query) {
  auto saved = std::make_shared<SavedShape>();
  saved->query = query;
  for (const auto& [name, parameter] : saved->query.params) {
    AddField(*saved, name, parameter);
    saved->names.push_back(name);
  }
  saved->shape = json::Shape{.kind = json::Kind::kObject, .fields = saved->fields};
  return saved;
}

json::AnyValue ToJson(const SavedParameter& parameter, const SavedValue& value) {
  json::AnyValue any{.json = {}};
  json::JsonWriter out(any.json);
  if (!parameter.choices.empty()) {
    out.String(parameter.choices.at(value.choice));
    return any;
  }
  switch (parameter.type) {
    case ParameterType::kInteger:
      any.json = std::to_string(value.integer);
      break;
    case ParameterType::kNumber:
      out.Double(value.number);
      break;
    case ParameterType::kBoolean:
      out.Bool(value.boolean);
      break;
    case ParameterType::kString:
    case ParameterType::kDate:
    case ParameterType::kTimestamp:
      out.String(value.text);
      break;
  }
  return any;
}

Task<mcp::Answer> RunSaved(Dataset& dataset, std::shared_ptr<const SavedShape> saved,
                           SavedValues values, mcp::CallContext& context) {
  RowQuery query{
      .sql = saved->query.sql, .params = {}, .param_types = {}, .limit = {}, .format = {}};
  for (size_t slot = 0; slot < saved->names.size(); ++slot) {
    const std::string& name = saved->names[slot];
    const SavedParameter& parameter = saved->query.params.at(name);
    query.params.emplace(name, ToJson(parameter, values.values[slot]));
    query.param_types.emplace(name, parameter.type);
  }
  CO_TRY_ASSIGN(const RowResult rows, co_await RunRowQuery(dataset, std::move(query), context));
  mcp::Answer answer{.structured = json::Encode(rows), .text = {}};
  answer.rows = rows.rows_sent();
  RenderRows(rows, answer.text);
  co_return answer;
}

constexpr std::string_view kDescriptionEnd =
    "\nA saved query: runs one fixed read-only statement and returns rows in the form of query; "
    "list_saved_queries shows its SQL.";
constexpr size_t kOwnDescriptionMax = 1'024 - kDescriptionEnd.size();

std::string Description(const SavedQuery& query) {
  std::string text(FirstCodePoints(query.description, kOwnDescriptionMax));
  return text.append(kDescriptionEnd);
}

}  // namespace

std::string SavedToolName(const SavedQuery& query) {
  return "saved_" + query.name;
}

mcp::Tool MakeSavedQuery(Dataset& dataset, const SavedQuery& query) {
  std::shared_ptr<const SavedShape> saved = ShapeOfQuery(query);
  mcp::Tool tool{.info = {.name = SavedToolName(query),
                          .title = "Saved query " + query.name,
                          .description = Description(query),
                          .errors = TableErrors(),
                          .scopes = {std::string(kReadScope)},
                          .error_style = mcp::ErrorStyle::kBracketed},
                 .input = &saved->shape,
                 .output = &json::kShape<RowResult>,
                 .shape_owner = saved,
                 .call = nullptr};
  tool.call = [&dataset, saved, info = tool.info](json::View arguments,
                                                  mcp::CallContext& context) -> Task<mcp::Answer> {
    SavedValues values;
    values.values.resize(saved->fields.size());
    Status decoded = mcp::internal::DecodeTool(
        info, arguments, {.shape = saved->shape, .out = &values, .repairs = context.repairs});
    if (!decoded) return mcp::internal::FailedTask<mcp::Answer>(std::move(decoded).error());
    return RunSaved(dataset, saved, std::move(values), context);
  };
  return tool;
}

}  // namespace ducat::analyst
