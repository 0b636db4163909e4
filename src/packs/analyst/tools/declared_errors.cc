#include "packs/analyst/tools/declared_errors.h"

namespace ducat::analyst {
namespace {

using enum ErrorCode;

constexpr mcp::DeclaredError kSyntaxError{"syntax_error", kInvalidArgument, "does not parse",
                                          "correct it at data.position"};
constexpr mcp::DeclaredError kDeniedKeyword{"denied_keyword", kPermissionDenied, "not read-only",
                                            "run data.suggestion, or write a SELECT"};
constexpr mcp::DeclaredError kDeniedFunction{"denied_function", kPermissionDenied,
                                             "not allowed here", "use what the hint names"};
constexpr mcp::DeclaredError kMissingParameter{"missing_parameter", kInvalidArgument,
                                               "no value given", "add it to params"};

}  // namespace

std::vector<mcp::DeclaredError> SqlErrors() {
  return {
      kSyntaxError,
      {"multiple_statements", kInvalidArgument, "more than one",
       "send one per call; data.suggestion is the first"},
      kDeniedKeyword,
      kDeniedFunction,
      {"unknown_function", kInvalidArgument, "no such function", "use a near name of the hint"},
      kUnknownTable,
      kUnknownColumn,
      {"type_mismatch", kInvalidArgument, "types do not fit", "cast one side"},
      {"sql_execution_error", kInvalidArgument, "cast, overflow or division failed",
       "TRY_CAST, NULLIF, or filter the rows"},
      kMissingParameter,
      {"query_too_complex", kResourceExhausted, "a size limit", "split the statement", false},
      kTablePending,
      kTableUnreadable,
      kQueryTimeout,
      kMemoryLimit,
  };
}

std::vector<mcp::DeclaredError> PlanErrors() {
  return {kSyntaxError,      kDeniedKeyword, kDeniedFunction,  kUnknownTable, kUnknownColumn,
          kMissingParameter, kTablePending,  kTableUnreadable, kQueryTimeout};
}

}  // namespace ducat::analyst
