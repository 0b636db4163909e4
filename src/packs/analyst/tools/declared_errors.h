#pragma once
// Errors that several of this pack's tools declare (analyst.md 10, guard.md 7 and 8), written once.
// Constants.

#include <vector>

#include "mcp/tool.h"

namespace ducat::analyst {

// What tokens must grant: to read data, and to keep queries.
inline constexpr std::string_view kReadScope = "analyst:read";
inline constexpr std::string_view kWriteScope = "analyst:write";

inline constexpr mcp::DeclaredError kUnknownTable{
    .reason = "unknown_table",
    .code = ErrorCode::kNotFound,
    .when = "no such table",
    .recovery = "use one of the near names in the hint, or call list_tables"};
inline constexpr mcp::DeclaredError kUnknownColumn{
    .reason = "unknown_column",
    .code = ErrorCode::kNotFound,
    .when = "no such column",
    .recovery = "use one of the near names in the hint, or call describe_table"};
inline constexpr mcp::DeclaredError kTablePending{.reason = "table_pending",
                                                  .code = ErrorCode::kUnavailable,
                                                  .when = "still being read",
                                                  .recovery = "call again in a few seconds"};
inline constexpr mcp::DeclaredError kTableUnreadable{
    .reason = "table_unreadable",
    .code = ErrorCode::kFailedPrecondition,
    .when = "its file cannot be read",
    .recovery = "use another table; the message gives the reason"};
inline constexpr mcp::DeclaredError kBadCursor{.reason = "bad_cursor",
                                               .code = ErrorCode::kInvalidArgument,
                                               .when = "foreign or stale cursor",
                                               .recovery = "start again without cursor"};
inline constexpr mcp::DeclaredError kQueryTimeout{
    .reason = "query_timeout",
    .code = ErrorCode::kDeadlineExceeded,
    .when = "deadline passed",
    .recovery = "ask for less: filter, aggregate, fewer columns, or a sample",
    .retryable = false};
inline constexpr mcp::DeclaredError kMemoryLimit{
    .reason = "memory_limit",
    .code = ErrorCode::kResourceExhausted,
    .when = "too much memory",
    .recovery = "filter or aggregate earlier, or read fewer columns",
    .retryable = false};

// What the guard and the engine say about a SQL text that runs: the reasons an agent is likely to
// meet. Rarer ones of guard.md 7 occur too and explain themselves; every list of tools carries
// these.
[[nodiscard]] std::vector<mcp::DeclaredError> SqlErrors();
// Of tools that read named tables and columns.
[[nodiscard]] std::vector<mcp::DeclaredError> TableErrors();
// As SqlErrors, for a statement that is only planned.
[[nodiscard]] std::vector<mcp::DeclaredError> PlanErrors();

}  // namespace ducat::analyst
