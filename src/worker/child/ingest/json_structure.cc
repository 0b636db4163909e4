#include "worker/child/ingest/json_structure.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "worker/child/ingest/json_depth.h"

namespace ducat::ingest {
namespace {

using engine::EngineResult;
using engine::QuoteIdentifier;
using engine::QuoteText;
using engine::Type;
using engine::TypeId;

Type JsonText() {
  return {.id = TypeId::kVarchar, .text = "JSON"};
}

// Most lists in one another.
int ListDepth(const Type& type) {
  int deepest = 0;
  for (const Type& child : type.children) {
    deepest = std::max(deepest, ListDepth(child));
  }
  return deepest + (type.id == TypeId::kList || type.id == TypeId::kMap ? 1 : 0);
}

// True when the engine stopped somewhere in the type because of the depth.
bool IsCut(const Type& type, int depth) {
  if (type.children.empty()) return type.text == "JSON" && depth + 1 >= kStructureDepthMax;
  return std::ranges::any_of(type.children,
                             [depth](const Type& child) { return IsCut(child, depth + 1); });
}

// Keys of one object that are the same name to SQL.
bool HasEqualKeys(const Type& type) {
  std::set<std::string> seen;
  if (type.id == TypeId::kStruct) {
    for (const std::string& name : type.names) {
      if (!seen.insert(AsciiLower(name)).second) return true;
    }
  }
  return std::ranges::any_of(type.children, HasEqualKeys);
}

TypeFinding Kept(std::string code, const std::string& column, std::string message) {
  return {.code = std::move(code),
          .column = column,
          .count = 1,
          .message = std::move(message),
          .suggestion = "json_extract(" + QuoteIdentifier(column) + ", '$.path')"};
}

void LimitDepth(JsonStructure& structure) {
  for (size_t i = 0; i < structure.types.size(); ++i) {
    const std::string& name = structure.columns[i].name;
    if (ListDepth(structure.types[i]) > kListDepthMax) {
      structure.types[i] = JsonText();
      structure.depth = std::min(structure.depth, kListDepthMax);
      structure.findings.push_back(Kept(
          "depth_limited", name,
          fmt::format("Kept as JSON text: more than {} lists lie in one another", kListDepthMax)));
    } else if (IsCut(structure.types[i], 0)) {
      structure.findings.push_back(
          Kept("depth_limited", name,
               fmt::format("What is nested more than {} levels deep is kept as JSON text",
                           kStructureDepthMax)));
    }
  }
}

EngineResult<JsonStructure> Detect(engine::Connection& connection, const std::string& path,
                                   int depth) {
  auto rows = connection.Run("SELECT * FROM " + DetectedJson(path, depth) + " LIMIT 0");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  return JsonStructure{
      .columns = rows->columns(), .types = rows->types(), .findings = {}, .depth = depth};
}

// Whole numbers are BIGINT, as where the engine finds the type of a file. Only values stand behind
// a colon or a bracket.
std::string Signed(std::string structure) {
  for (const std::string_view unsigned_type : {":\"UBIGINT\"", "[\"UBIGINT\""}) {
    for (size_t at = 0; (at = structure.find(unsigned_type, at)) != std::string::npos;) {
      structure.erase(at + 2, 1);
    }
  }
  return structure == "\"UBIGINT\"" ? "\"BIGINT\"" : structure;
}

// The engine refuses a file as a whole when two keys of one object differ in case only; found
// column by column, the others keep their types.
EngineResult<JsonStructure> FindByColumn(engine::Connection& connection, const std::string& path) {
  auto structure = Detect(connection, path, 1);
  if (!structure.has_value()) return structure;
  std::string spec, select;
  for (const engine::ResultColumn& column : structure->columns) {
    spec += fmt::format("{}{}: 'JSON'", spec.empty() ? "" : ", ", QuoteText(column.name));
    select += fmt::format("{}json_group_structure({})", select.empty() ? "" : ", ",
                          QuoteIdentifier(column.name));
  }
  auto rows = connection.Run(fmt::format("SELECT {} FROM read_json({}, columns = {{{}}}{})", select,
                                         engine::QuotePath(path), spec, JsonReaderOptions()));
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto found = rows->AllText();
  if (!found.has_value()) return tl::unexpected(std::move(found).error());
  for (size_t i = 0; i < structure->types.size(); ++i) {
    const std::string text = found->empty() ? "" : found->front()[i].value_or("");
    const bool is_typed = !text.empty() && text != "\"NULL\"" && text != "\"JSON\"";
    if (!is_typed) continue;
    const auto row =
        connection.Run("SELECT json_transform('null'::JSON, " + QuoteText(Signed(text)) + ") AS x");
    const bool is_found = row.has_value() && row->types().size() == 1;
    if (is_found && !HasEqualKeys(row->types().front())) {
      structure->types[i] = row->types().front();
    } else {
      structure->findings.push_back(
          Kept("case_equal_keys", structure->columns[i].name,
               "Kept as JSON text: its objects have keys that differ in case only"));
    }
  }
  return structure;
}

}  // namespace

std::string JsonReaderOptions() {
  return fmt::format(", maximum_object_size = {}, hive_partitioning = false", kJsonRecordBytesMax);
}

std::string DetectedJson(const std::string& path, int depth) {
  return fmt::format("read_json({}, sample_size = -1, maximum_depth = {}{})",
                     engine::QuotePath(path), depth, JsonReaderOptions());
}

EngineResult<JsonStructure> FindJsonStructure(engine::Connection& connection,
                                              const std::string& path) {
  auto structure = Detect(connection, path, kStructureDepthMax);
  if (!structure.has_value() &&
      structure.error().message.find("Duplicate name") != std::string::npos) {
    structure = FindByColumn(connection, path);
  }
  if (structure.has_value()) LimitDepth(*structure);
  return structure;
}

}  // namespace ducat::ingest
