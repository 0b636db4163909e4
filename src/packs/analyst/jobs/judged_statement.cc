#include "packs/analyst/jobs/judged_statement.h"

#include <algorithm>
#include <utility>

#include "base/iso_time.h"
#include "base/text.h"
#include "json/view.h"
#include "worker/child/ingest/direct_files.h"
#include "worker/child/ingest/open_file.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::analyst {
namespace {

using engine::Parameter;
using worker::child::MountedCatalog;

Failure InvalidParameter(const std::string& name, const std::string& what) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_arguments", "params." + name + ": " + what,
              "Give a string, a number, true, false or null; lists and objects cannot be bound.");
}

Result<Parameter> ToParameter(const std::string& name, const std::string& text) {
  json::Document document;
  const auto value = document.Parse(text);
  if (!value.has_value()) return InvalidParameter(name, value.error().message);
  switch (value->type()) {
    case json::Type::kNull:
      return Parameter{};
    case json::Type::kBoolean:
      return Parameter{.kind = Parameter::Kind::kBoolean, .boolean = *value->AsBoolean()};
    case json::Type::kInteger:
      return Parameter{.kind = Parameter::Kind::kInteger, .integer = *value->AsInteger()};
    case json::Type::kUnsigned:
      return Parameter{.kind = Parameter::Kind::kUnsigned,
                       .unsigned_integer = *value->AsUnsigned()};
    case json::Type::kDouble:
      return Parameter{.kind = Parameter::Kind::kDouble, .number = *value->AsDouble()};
    case json::Type::kString:
      return Parameter{.kind = Parameter::Kind::kText, .text = std::string(*value->AsString())};
    case json::Type::kArray:
    case json::Type::kObject:
      break;
  }
  return InvalidParameter(name, "expected a scalar");
}

// A number is bound as one whatever its digits, a date or time as what the text says.
Result<Parameter> AsDeclared(const std::string& name, ParameterType type, Parameter value) {
  using Kind = Parameter::Kind;
  if (type == ParameterType::kNumber && value.kind == Kind::kInteger) {
    return Parameter{.kind = Kind::kDouble, .number = static_cast<double>(value.integer)};
  }
  const bool is_date = type == ParameterType::kDate;
  if (value.kind != Kind::kText || (!is_date && type != ParameterType::kTimestamp)) return value;
  const auto time = is_date ? DaysOfIsoDate(value.text) : MicrosOfIsoTimestamp(value.text);
  if (!time.has_value()) {
    return InvalidParameter(name, "\"" + std::string(ClipUtf8(value.text, 100)) +
                                      (is_date ? "\" is no date." : "\" is no date and time."));
  }
  return Parameter{.kind = is_date ? Kind::kDate : Kind::kTimestamp, .integer = *time};
}

bool UsesDatabase(const guard::Verdict& verdict, const MountedCatalog& catalog) {
  return std::any_of(verdict.tables.begin(), verdict.tables.end(), [&](const std::string& name) {
    const worker::CatalogTable* table = catalog.Find(name);
    return name.starts_with("db.") || (table != nullptr && !table->db_name.empty());
  });
}

Status CheckReadable(const guard::Verdict& verdict, const MountedCatalog& catalog) {
  for (const std::string& name : verdict.tables) {
    const worker::CatalogTable* table = catalog.Find(name);
    if (table == nullptr) continue;
    if (const std::string_view problem = catalog.Problem(name); !problem.empty()) {
      return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
                  "Table " + table->name + " (" + table->source +
                      ") cannot be read: " + std::string(problem),
                  "list_tables shows the state of every table; the others work.");
    }
    if (table->file.empty() && table->db_name.empty()) {
      return Fail(ErrorCode::kFailedPrecondition, "table_pending",
                  "Table " + table->name + " (" + table->source + ") is not loaded yet.",
                  "Try again; list_tables shows its status.");
    }
  }
  return {};
}

bool HasFunction(const guard::Verdict& verdict, std::string_view part) {
  return std::ranges::any_of(verdict.functions, [&](const std::string& function) {
    return function.find(part) != std::string::npos;
  });
}

// Of several readers in a statement the file's name tells which one is meant.
ingest::DirectReader ReaderOf(const guard::Verdict& verdict, std::string_view file) {
  const std::string name = AsciiLower(file);
  if (name.find("json") != std::string::npos) return ingest::DirectReader::kJson;
  const bool is_csv = HasFunction(verdict, "csv") && name.find(".parquet") == std::string::npos;
  const bool is_text = name.find(".csv") != std::string::npos ||
                       name.find(".tsv") != std::string::npos ||
                       name.find(".txt") != std::string::npos;
  if (is_csv && is_text) return ingest::DirectReader::kCsv;
  if (HasFunction(verdict, "json")) return ingest::DirectReader::kJson;
  return is_csv ? ingest::DirectReader::kCsv : ingest::DirectReader::kOther;
}

// Files that the engine opens where they lie: those that the statement names, and Parquet tables.
Status CheckFiles(worker::child::JobContext& context, const guard::Verdict& verdict) {
  for (const std::string& file : verdict.files) {
    TRY(context.catalog.direct_files().Check(context.hello.data_dir, file, ReaderOf(verdict, file),
                                             context.interrupted));
  }
  for (const std::string& name : verdict.tables) {
    const worker::CatalogTable* table = context.catalog.Find(name);
    if (table == nullptr) continue;
    TRY(CheckFile(*table));
  }
  return {};
}

}  // namespace

Status CheckFile(const worker::CatalogTable& table) {
  if (table.file.empty()) return {};
  const Status regular = ingest::CheckRegular(table.file, "\"" + table.source + "\"");
  if (regular.has_value()) return {};
  return Fail(ErrorCode::kFailedPrecondition, "table_unreadable",
              "Table " + table.name + " cannot be read: " + regular.error().message,
              regular.error().hint);
}

Result<engine::NamedParameters> ToParameters(const std::map<std::string, json::AnyValue>& params,
                                             const std::map<std::string, ParameterType>& types) {
  engine::NamedParameters parameters;
  for (const auto& [name, value] : params) {
    TRY_ASSIGN(Parameter parameter, ToParameter(name, value.json));
    if (const auto type = types.find(name); type != types.end()) {
      TRY_ASSIGN(parameter, AsDeclared(name, type->second, std::move(parameter)));
    }
    parameters.emplace_back(name, std::move(parameter));
  }
  return parameters;
}

Result<guard::Verdict> JudgeStatement(worker::child::JobContext& context, std::string_view sql,
                                      const engine::NamedParameters& parameters,
                                      uint64_t row_limit) {
  MountedCatalog& catalog = context.catalog;
  guard::Statement statement{
      .sql = sql, .parameters = parameters.empty() ? nullptr : &parameters, .row_limit = row_limit};
  // What may be unusable is looked at before the engine binds the statement.
  statement.check_plan = false;
  guard::Verdict verdict = context.guard.Judge(statement, catalog, context.connection);
  if (!verdict.allowed) return Failure(guard::ToError(verdict));
  if (UsesDatabase(verdict, catalog)) {
    TRY(catalog.UseDatabase(context.connection));
  }
  TRY(CheckReadable(verdict, catalog));
  TRY(CheckFiles(context, verdict));
  statement.check_plan = true;
  verdict = context.guard.Judge(statement, catalog, context.connection);
  if (!verdict.allowed) return Failure(guard::ToError(verdict));
  return verdict;
}

}  // namespace ducat::analyst
