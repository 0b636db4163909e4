#include "packs/analyst/tools/declared_errors.h"

namespace ducat::analyst {

std::vector<mcp::DeclaredError> SqlErrors() {
  using enum ErrorCode;
  return {
      {"empty_sql", kInvalidArgument, "the text holds no statement", "send one SELECT"},
      {"syntax_error", kInvalidArgument, "the statement does not parse",
       "correct it at the position in data.position"},
      {"multiple_statements", kInvalidArgument, "more than one statement",
       "send one statement per call; data.suggestion is the first"},
      {"denied_keyword", kPermissionDenied, "the statement is not read-only",
       "run data.suggestion, or write a SELECT"},
      {"denied_function", kPermissionDenied, "a function that may not be used here",
       "use what the hint names instead"},
      {"unknown_function", kInvalidArgument, "the engine has no such function",
       "use one of the near names in the hint"},
      kUnknownTable,
      kUnknownColumn,
      {"ambiguous_column", kInvalidArgument, "a column name fits several tables",
       "qualify it with its table"},
      {"type_mismatch", kInvalidArgument, "operands of types that do not go together",
       "cast one side, TRY_CAST where values may not fit"},
      {"invalid_sql", kInvalidArgument, "the statement does not bind",
       "correct it as the hint says"},
      {"sql_execution_error", kInvalidArgument, "a value broke the run (cast, overflow, division)",
       "TRY_CAST, NULLIF, or filter the rows"},
      {"missing_parameter", kInvalidArgument, "a ? or $name has no value", "add it to params"},
      {"unused_parameter", kInvalidArgument, "params holds a name the text lacks",
       "remove it from params"},
      {"query_too_complex", kResourceExhausted, "a size limit of the guard", "split the statement"},
      {"path_outside_data_dir", kPermissionDenied, "a file outside the data directory",
       "use a table of list_tables"},
      kTablePending,
      kTableUnreadable,
      kQueryTimeout,
      kMemoryLimit,
  };
}

}  // namespace ducat::analyst
