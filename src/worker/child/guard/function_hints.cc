#include "worker/child/guard/function_hints.h"

#include <algorithm>
#include <array>

namespace ducat::guard {
namespace {

constexpr std::array<FunctionHint, 17> kDenied{
    {{"glob", "Call list_tables to see the files and their tables."},
     {"duckdb_tables", "Use SHOW TABLES."},
     {"duckdb_views", "Use SHOW TABLES."},
     {"pragma_show", "Use DESCRIBE with a table name."},
     {"duckdb_columns", "Use DESCRIBE with a table name, or SHOW ALL TABLES."},
     {"pragma_table_info", "Use DESCRIBE with a table name."},
     {"pragma_storage_info", "Use DESCRIBE or SUMMARIZE with a table name."},
     {"duckdb_functions", "The documentation of DuckDB 1.5 lists its functions."},
     {"query", "Write the statement itself, without query()."},
     {"query_table", "Name the table in FROM."},
     {"histogram_values", "Use the aggregate histogram(column)."},
     {"histogram", "Use it as an aggregate: SELECT histogram(column) FROM t."},
     {"setseed", "For a repeatable sample use USING SAMPLE ... REPEATABLE (seed)."},
     {"nextval", "Number rows with row_number() OVER (ORDER BY ...)."},
     {"currval", "Number rows with row_number() OVER (ORDER BY ...)."},
     {"getvariable", "Put the value into the statement, or bind it as a parameter."},
     {"current_setting", "Settings are fixed and cannot be read."}}};

constexpr std::string_view kFormatTime = "Use strftime(timestamp, '%Y-%m-%d').";
constexpr std::string_view kParseTime = "Use strptime(text, '%Y-%m-%d'), or CAST(text AS DATE).";
constexpr std::string_view kAddTime = "Write date + INTERVAL 1 DAY, or INTERVAL (n) MONTH.";
constexpr std::string_view kDifference = "Use date_diff('day', start, end).";
constexpr std::string_view kNow = "Use now(), current_date or current_timestamp.";
constexpr std::string_view kEpoch = "Use epoch(timestamp).";
constexpr std::string_view kCoalesce = "Use coalesce(value, other).";
constexpr std::string_view kIf = "Use CASE WHEN condition THEN a ELSE b END.";
constexpr std::string_view kFind = "Use instr(text, part), which is 0 where there is none.";
constexpr std::string_view kMatches = "Use regexp_matches(text, pattern).";
constexpr std::string_view kCast = "Use CAST(value AS type) or TRY_CAST(value AS type).";
constexpr std::string_view kTryCast = "Use TRY_CAST(value AS type).";
constexpr std::string_view kQuantile = "Use quantile_cont(column, 0.5).";
constexpr std::string_view kApproximate = "Use approx_quantile(column, 0.5).";
constexpr std::string_view kDivide = "Write x / nullif(y, 0).";
constexpr std::string_view kTruncate = "Use date_trunc('month', timestamp).";
constexpr std::string_view kPart = "Use date_part('year', timestamp).";
constexpr std::string_view kUuid = "Use uuid().";

// In byte order.
constexpr std::array<FunctionHint, 85> kForeign{
    {{"add_months", kAddTime},
     {"addmonths", kAddTime},
     {"approx_distinct", "Use approx_count_distinct(column)."},
     {"approx_percentile", kApproximate},
     {"boolor_agg", "Use bool_or(column)."},
     {"charindex", kFind},
     {"convert", kCast},
     {"count_distinct", "Write count(DISTINCT column)."},
     {"curdate", kNow},
     {"curtime", kNow},
     {"date_format", kFormatTime},
     {"dateadd", kAddTime},
     {"datename", "Use dayname(date), monthname(date) or strftime(timestamp, '%A')."},
     {"datetime_trunc", kTruncate},
     {"day_name", "Use dayname(date)."},
     {"div0", kDivide},
     {"eomonth", "Use last_day(date)."},
     {"explode", "Use unnest(list)."},
     {"format_date", kFormatTime},
     {"format_datetime", kFormatTime},
     {"format_timestamp", kFormatTime},
     {"from_unixtime", "Use to_timestamp(seconds)."},
     {"generate_array", "Use generate_series(first, last)."},
     {"generate_date_array", "Use generate_series(first, last, INTERVAL 1 DAY)."},
     {"getdate", kNow},
     {"getutcdate", kNow},
     {"iff", kIf},
     {"iif", kIf},
     {"isnull", kCoalesce},
     {"isnumeric", "Write TRY_CAST(text AS DOUBLE) IS NOT NULL."},
     {"json_arrayagg", "Use json_group_array(value)."},
     {"json_object_agg", "Use json_group_object(key, value)."},
     {"json_objectagg", "Use json_group_object(key, value)."},
     {"json_query", "Use json_extract(column, '$.path')."},
     {"json_table", "Use unnest(from_json(column, '[\"JSON\"]')) or json_each(column)."},
     {"julianday", "Use julian(date)."},
     {"locate", kFind},
     {"month_name", "Use monthname(date)."},
     {"months_between", kDifference},
     {"newid", kUuid},
     {"nvl", kCoalesce},
     {"nvl2", kIf},
     {"openjson", "Use json_each(column)."},
     {"parse_date", kParseTime},
     {"parse_datetime", kParseTime},
     {"parse_json", "Use CAST(text AS JSON)."},
     {"parse_timestamp", kParseTime},
     {"patindex", kMatches},
     {"percentile", kQuantile},
     {"percentile_approx", kApproximate},
     {"rand", "Use random()."},
     {"ratio_to_report", "Write x / sum(x) OVER ()."},
     {"regexp_contains", kMatches},
     {"regexp_count", "Use len(regexp_extract_all(text, pattern))."},
     {"regexp_like", kMatches},
     {"regexp_substr", "Use regexp_extract(text, pattern)."},
     {"replicate", "Use repeat(text, n)."},
     {"rlike", kMatches},
     {"safe_cast", kTryCast},
     {"safe_divide", kDivide},
     {"space", "Use repeat(' ', n)."},
     {"split_string", "Use string_split(text, separator)."},
     {"stdev", "Use stddev(column)."},
     {"stdevp", "Use stddev_pop(column)."},
     {"str_to_date", kParseTime},
     {"substring_index", "Use split_part(text, separator, n)."},
     {"sysdate", kNow},
     {"timestamp_diff", kDifference},
     {"timestamp_trunc", kTruncate},
     {"timestampadd", kAddTime},
     {"timestampdiff", kDifference},
     {"to_char", "Use strftime(timestamp, '%Y-%m-%d'), or format('{:,}', number)."},
     {"to_date", kParseTime},
     {"to_number", kCast},
     {"todate", kParseTime},
     {"tomonth", kPart},
     {"tostartofday", kTruncate},
     {"tostartofmonth", kTruncate},
     {"toyear", kPart},
     {"truncate", "Use trunc(number)."},
     {"try_convert", kTryCast},
     {"unix_timestamp", kEpoch},
     {"uuid_generate_v4", kUuid},
     {"varp", "Use var_pop(column)."},
     {"zeroifnull", kCoalesce}}};
static_assert(std::ranges::is_sorted(kForeign, {}, &FunctionHint::name));

}  // namespace

std::string_view HintForDenied(std::string_view name) {
  const auto found = std::ranges::find(kDenied, name, &FunctionHint::name);
  return found == kDenied.end() ? std::string_view{} : found->hint;
}

std::string_view HintForForeign(std::string_view name) {
  const auto found = std::ranges::lower_bound(kForeign, name, {}, &FunctionHint::name);
  return found == kForeign.end() || found->name != name ? std::string_view{} : found->hint;
}

std::span<const FunctionHint> ForeignFunctions() {
  return kForeign;
}

}  // namespace ducat::guard
