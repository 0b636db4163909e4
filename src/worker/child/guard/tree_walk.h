#pragma once
// TreeWalk: the state of one walk; internal to the guard. Shape and scopes in walk.cc, what names
// mean in walk_names.cc, files in walk_files.cc.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "json/view.h"
#include "worker/child/guard/functions.h"
#include "worker/child/guard/grammar.h"
#include "worker/child/guard/planning_cost.h"
#include "worker/child/guard/readers.h"
#include "worker/child/guard/table_names.h"
#include "worker/child/guard/walk.h"

namespace ducat::guard {

class TreeWalk {
 public:
  TreeWalk(const WalkInput& input, WalkResult& result)
      : input_(input), result_(result), names_(input.catalog) {}

  void Statement(json::View statement);

 private:
  // walk.cc
  void Node(NodePlace place, json::View node);
  void Meant(const Rule& rule, json::View node);
  void Fields(const Rule& rule, json::View node, std::string_view except = {});
  void Member(const Rule& rule, const FieldRule* field, std::string_view key, json::View value);
  void Field(const FieldRule& field, json::View value);
  void Element(const FieldRule& field, json::View element);
  void Struct(const Rule& rule, json::View value);
  void Each(const FieldRule& field, json::View list);
  void Query(const Rule& rule, json::View node);
  void RecursiveCte(const Rule& rule, json::View node);
  void CteNode(const Rule& rule, json::View node);
  void Lambda(const Rule& rule, json::View node);
  void Unsupported(std::string_view what);
  void TooComplex(std::string_view limit, uint64_t max, uint64_t found,
                  std::string_view hint = "Split the statement or simplify it.");
  void CheckNesting();
  void CheckCost();
  void CountList(json::View list, uint64_t extra);

  // walk_names.cc
  void BaseTable(json::View node);
  void StoredTable(const TableName& name, uint64_t location);
  void Show(json::View node);
  void Function(json::View node, FunctionPlace place);
  void Dispatch(json::View node, std::string_view name);
  void Parameter(json::View node);
  void UserType(json::View node);
  void RefuseFunction(const FunctionVerdict& verdict, std::string_view name, FunctionPlace place,
                      uint64_t location);
  void RefuseTable(const TableVerdict& verdict, const TableName& name, uint64_t location);

  // walk_files.cc
  void TableFunction(const Rule& rule, json::View node);
  void Reader(json::View function, std::string_view name, uint64_t location);
  void PathTable(json::View node, std::string_view name, uint64_t location);
  void ReadFiles(const ReaderCall& call, std::string_view name);
  [[nodiscard]] std::pair<size_t, size_t> Brackets(uint64_t location) const;
  [[nodiscard]] uint64_t PlaceOf(const ReaderFault& fault, size_t bracket, size_t close) const;
  void NoteTable(std::string_view file);
  // The files of a literal; nothing when it was refused.
  std::optional<std::vector<std::string>> Files(const PathLiteral& literal);
  void ReplaceLiteral(const ReaderCall& call, const PathLiteral& literal,
                      const std::vector<std::string>& files, std::string_view reader);

  // Where findings of a node without a place of its own are put: the last place seen.
  void Add(Finding finding, uint64_t location);
  [[nodiscard]] std::optional<Span> SpanAt(uint64_t location) const;

  const WalkInput& input_;
  WalkResult& result_;
  TableNames names_;
  PlanningCost cost_;
  std::set<std::string> parameters_;  // those in the result
  uint64_t nodes_ = 0, depth_ = 0, tables_ = 0, lambda_depth_ = 0;
  uint64_t last_location_ = 0;
  std::optional<Span> call_span_;   // of the reader call with one path that is looked at
  bool stopped_ = false;            // a size limit was passed: nothing further is looked at
  bool is_table_function_ = false;  // the next FUNCTION node stands in FROM
};

[[nodiscard]] std::string_view TextOf(json::View node, std::string_view field);
[[nodiscard]] uint64_t LocationOf(json::View node);

}  // namespace ducat::guard
