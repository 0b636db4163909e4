#pragma once
// The reviewed list of the engine's functions (guard.md 10): functions.tsv, compiled in as a sorted
// array. What is not on the list as allowed, for its kind, does not run. Pure look-ups, any thread.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "worker/hello.h"

namespace ducat::guard {

// Where a name is used: scalar, aggregate, window and macro functions are one kind, table functions
// another.
enum class FunctionPlace : uint8_t { kExpression, kTable };

struct FunctionLine {
  std::string_view name, kind;
  bool allowed = false;
  bool analyst_only = false;
  std::string_view reason;
};

enum class FunctionAnswer : uint8_t {
  kAllowed,
  kDenied,      // the engine has it, here it does not run
  kOtherPlace,  // allowed, but only in the other place
  kUnknown,
};

struct FunctionVerdict {
  FunctionAnswer answer = FunctionAnswer::kUnknown;
  std::string_view reason;  // of a denied one
};

// `name` in lower case.
[[nodiscard]] FunctionVerdict JudgeFunction(std::string_view name, FunctionPlace place,
                                            worker::Profile profile);
// An allowed aggregate by name: what list_aggregate and its kin may be told.
[[nodiscard]] bool IsAllowedAggregate(std::string_view name);
// Up to three allowed names near to one that the engine lacks.
[[nodiscard]] std::vector<std::string> NearFunctions(std::string_view name, FunctionPlace place,
                                                     worker::Profile profile);
// Every line, sorted by name, then kind.
[[nodiscard]] std::span<const FunctionLine> AllFunctions();

}  // namespace ducat::guard
