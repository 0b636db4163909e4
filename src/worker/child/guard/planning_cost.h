#pragma once
// PlanningCost: what planning a statement costs the engine, counted while its tree is walked. The
// engine looks at no interrupt while it binds and optimises, so what would take long is refused
// before (guard.md 6.8, ADR 0018 has the measured curves). Pure; one object per walk.

#include <cstdint>
#include <string_view>

#include "json/view.h"
#include "worker/child/guard/grammar.h"

namespace ducat::guard {

// A step is some 20 ns: folding constants asks every node about all below it, again and again.
inline constexpr double kPlanningStepsMax = 25e6;
// The order of inner joins is searched; scalar subqueries are joined too.
inline constexpr uint64_t kJoinedTablesMax = 40;
inline constexpr uint64_t kScalarSubqueriesMax = 60;
// Each level quadruples the time of planning.
inline constexpr uint64_t kSubqueryDepthMax = 8;

class PlanningCost {
 public:
  // Of what has been walked below the node that is open.
  struct Sums {
    double size = 0;      // nodes, as often as they are there once binding has expanded them
    double foldings = 0;  // nodes seen when the engine asks whether an expression is constant
    double steps = 0;
    double bindings = 0;  // nodes bound, also by attempts that are thrown away
    bool is_constant = true;
    uint64_t inner = 0, outer = 0, scalars = 0;  // what one SELECT joins
  };

  // A node begins: its children are counted from nothing. Gives what Close wants back.
  [[nodiscard]] Sums Open(const Rule& rule);
  void Close(const Sums& before, NodePlace place, const Rule& rule, json::View node);

  [[nodiscard]] double steps() const;
  // Tables and scalar subqueries of the SELECT that was closed last.
  [[nodiscard]] uint64_t joined_tables() const { return joined_tables_; }
  [[nodiscard]] uint64_t joined_scalars() const { return joined_scalars_; }
  [[nodiscard]] bool joins_too_many() const;
  [[nodiscard]] uint64_t subquery_depth() const { return depth_; }

 private:
  void CloseExpression(const Rule& rule, json::View node);
  void CloseTable(const Rule& rule, json::View node);
  void CloseQuery(json::View node);

  Sums now_;
  uint64_t depth_ = 0;
  uint64_t joined_tables_ = 0, joined_scalars_ = 0;
};

// How often binding a call copies what it is given: macros name a parameter more than once.
[[nodiscard]] double MacroCopies(std::string_view function);

}  // namespace ducat::guard
