#include "packs/analyst/tools/declared_errors.h"

namespace ducat::analyst {
namespace {

using enum ErrorCode;

constexpr mcp::DeclaredError kSyntaxError{.reason = "syntax_error",
                                          .code = kInvalidArgument,
                                          .when = "does not parse",
                                          .recovery = "correct it at data.position"};
constexpr mcp::DeclaredError kDeniedKeyword{.reason = "denied_keyword",
                                            .code = kPermissionDenied,
                                            .when = "not read-only",
                                            .recovery = "run data.suggestion, or write a SELECT"};
constexpr mcp::DeclaredError kDeniedFunction{.reason = "denied_function",
                                             .code = kPermissionDenied,
                                             .when = "not allowed here",
                                             .recovery = "use what the hint names"};
constexpr mcp::DeclaredError kMissingParameter{.reason = "missing_parameter",
                                               .code = kInvalidArgument,
                                               .when = "no value given",
                                               .recovery = "add it to params"};

}  // namespace

std::vector<mcp::DeclaredError> SqlErrors() {
  return {
      kSyntaxError,
      {.reason = "multiple_statements",
       .code = kInvalidArgument,
       .when = "more than one",
       .recovery = "send one per call; data.suggestion is the first"},
      kDeniedKeyword,
      kDeniedFunction,
      {.reason = "unknown_function",
       .code = kInvalidArgument,
       .when = "no such function",
       .recovery = "use a near name of the hint"},
      kUnknownTable,
      kUnknownColumn,
      {.reason = "type_mismatch",
       .code = kInvalidArgument,
       .when = "types do not fit",
       .recovery = "cast one side"},
      {.reason = "sql_execution_error",
       .code = kInvalidArgument,
       .when = "cast, overflow or division failed",
       .recovery = "TRY_CAST, NULLIF, or filter the rows"},
      kMissingParameter,
      {.reason = "query_too_complex",
       .code = kResourceExhausted,
       .when = "a size limit",
       .recovery = "split the statement",
       .retryable = false},
      kTablePending,
      kTableUnreadable,
      kQueryTimeout,
      kMemoryLimit,
  };
}

std::vector<mcp::DeclaredError> TableErrors() {
  return {kUnknownTable,    kUnknownColumn, kTablePending,
          kTableUnreadable, kQueryTimeout,  kMemoryLimit};
}

std::vector<mcp::DeclaredError> PlanErrors() {
  return {kSyntaxError,      kDeniedKeyword, kDeniedFunction,  kUnknownTable, kUnknownColumn,
          kMissingParameter, kTablePending,  kTableUnreadable, kQueryTimeout};
}

}  // namespace ducat::analyst
