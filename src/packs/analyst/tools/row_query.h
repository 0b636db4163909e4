#pragma once
// Runs one statement through the job "query" and gives its rows: the body of `query` and of every
// saved query. Control thread only.

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/task.h"
#include "mcp/call_context.h"
#include "packs/analyst/dataset.h"
#include "packs/analyst/tools/row_result.h"

namespace ducat::analyst {

struct RowQuery {
  std::string sql;
  std::map<std::string, json::AnyValue> params;
  std::map<std::string, ParameterType> param_types;  // of those with a declared one
  std::optional<int64_t> limit;
  std::chrono::milliseconds timeout{0};  // 0: the server's
  std::optional<RowFormat> format;
  int64_t cell_offset = 0;
};

[[nodiscard]] Task<RowResult> RunRowQuery(Dataset& dataset, RowQuery query,
                                          mcp::CallContext& context);

}  // namespace ducat::analyst
