#pragma once
// Errors that several of this pack's tools declare (analyst.md 10, guard.md 7 and 8), written once.
// Constants.

#include <vector>

#include "mcp/tool.h"

namespace ducat::analyst {

inline constexpr mcp::DeclaredError kUnknownTable{
    "unknown_table", ErrorCode::kNotFound, "no such table",
    "use one of the near names in the hint, or call list_tables"};
inline constexpr mcp::DeclaredError kUnknownColumn{
    "unknown_column", ErrorCode::kNotFound, "no such column",
    "use one of the near names in the hint, or call describe_table"};
inline constexpr mcp::DeclaredError kTablePending{
    "table_pending", ErrorCode::kUnavailable, "still being read", "call again in a few seconds"};
inline constexpr mcp::DeclaredError kTableUnreadable{
    "table_unreadable", ErrorCode::kFailedPrecondition, "its file cannot be read",
    "use another table; the message gives the reason"};
inline constexpr mcp::DeclaredError kBadCursor{"bad_cursor", ErrorCode::kInvalidArgument,
                                               "foreign or stale cursor",
                                               "start again without cursor"};
inline constexpr mcp::DeclaredError kQueryTimeout{
    "query_timeout", ErrorCode::kDeadlineExceeded, "deadline passed",
    "ask for less: filter, aggregate, fewer columns, or a sample", false};
inline constexpr mcp::DeclaredError kMemoryLimit{
    "memory_limit", ErrorCode::kResourceExhausted, "too much memory",
    "filter or aggregate earlier, or read fewer columns", false};

// What the guard and the engine say about a SQL text that runs: the reasons an agent is likely to
// meet. Rarer ones of guard.md 7 occur too and explain themselves; every list of tools carries
// these.
[[nodiscard]] std::vector<mcp::DeclaredError> SqlErrors();
// The same for a statement that is only planned.
[[nodiscard]] std::vector<mcp::DeclaredError> PlanErrors();

}  // namespace ducat::analyst
