#include "packs/analyst/jobs/profile_table.h"

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "json/decode.h"
#include "packs/analyst/jobs/json_rows.h"
#include "packs/analyst/jobs/meta.h"
#include "packs/analyst/jobs/profile_sql.h"
#include "packs/analyst/jobs/run_failure.h"
#include "packs/analyst/jobs/table_scope.h"
#include "packs/analyst/messages/profile.h"

namespace ducat::analyst {
namespace {

using worker::child::JobContext;

// Columns of one scan: exact distinct counts and quantiles hold their values in memory.
constexpr size_t kColumnsPerScan = 16;
constexpr size_t kTopValues = 5;
constexpr double kManyNullsPct = 10.0;

// One table, one call: what every step needs.
struct Profile {
  JobContext& context;
  const TableScope& scope;
  int64_t row_count = 0;

  [[nodiscard]] Result<std::vector<JsonRow>> Fetch(const std::string& sql) const {
    auto rows = FetchJson(context.connection, sql);
    if (!rows.has_value()) return Failure(RunFailure(rows.error(), *scope.table));
    return *std::move(rows);
  }
};

json::AnyValue Shown(std::string value) {
  return json::AnyValue{ClipJson(std::move(value), static_cast<size_t>(kSampleCharactersMax))};
}

json::Nullable<double> Double(const std::string& value) {
  if (IsNull(value) || value.starts_with('"')) return {};
  json::Nullable<double> number;
  number.emplace(AsDouble(value));
  return number;
}

json::Nullable<int64_t> Integer(const std::string& value) {
  json::Nullable<int64_t> number;
  if (!IsNull(value)) number.emplace(AsInteger(value));
  return number;
}

double Percent(int64_t part, int64_t whole) {
  if (whole == 0) return 0.0;
  return std::round(10'000.0 * static_cast<double>(part) / static_cast<double>(whole)) / 100.0;
}

ProfiledColumn FromItems(const ScopedColumn& column, std::span<std::string> items,
                         int64_t row_count) {
  const int64_t count = AsInteger(items[kItemCount]);
  return ProfiledColumn{.name = column.name,
                        .type = column.type,
                        .is_numeric = IsNumeric(column.read_as.id),
                        .count = count,
                        .null_count = row_count - count,
                        .null_pct = Percent(row_count - count, row_count),
                        .distinct_count = AsInteger(items[kItemDistinct]),
                        .min = Shown(std::move(items[kItemMin])),
                        .max = Shown(std::move(items[kItemMax])),
                        .mean = Double(items[kItemMean]),
                        .stddev = Double(items[kItemStddev]),
                        .p25 = Shown(std::move(items[kItemP25])),
                        .median = Shown(std::move(items[kItemMedian])),
                        .p75 = Shown(std::move(items[kItemP75])),
                        .empty_count = Integer(items[kItemEmpty]),
                        .nan_count = Integer(items[kItemNan]),
                        .min_length = Integer(items[kItemMinLength]),
                        .max_length = Integer(items[kItemMaxLength]),
                        .top_values = {},
                        .warnings = {}};
}

// Above kExactDistinctRowsMax rows: small estimates are replaced by counts.
Status CountSmallEstimates(const Profile& profile, std::span<const ScopedColumn> columns,
                           std::span<ProfiledColumn> out) {
  std::vector<ScopedColumn> small;
  std::vector<ProfiledColumn*> targets;
  for (size_t i = 0; i < columns.size(); ++i) {
    out[i].distinct_exact = out[i].distinct_count <= kExactDistinctEstimateMax;
    if (!out[i].distinct_exact) {
      // An estimate may exceed what is possible.
      out[i].distinct_count = std::min(out[i].distinct_count, out[i].count);
      continue;
    }
    small.push_back(columns[i]);
    targets.push_back(&out[i]);
  }
  if (small.empty()) return {};
  TRY_ASSIGN(const std::vector<JsonRow> rows, profile.Fetch(DistinctSql(profile.scope, small)));
  for (size_t i = 0; i < targets.size(); ++i) {
    targets[i]->distinct_count = AsInteger(rows.front()[i]);
  }
  return {};
}

Status AddTopValues(const Profile& profile, const ScopedColumn& column, ProfiledColumn& out) {
  if (!out.distinct_exact || out.distinct_count > kLowCardinality) return {};
  std::vector<TopValue>& top = out.top_values.emplace();
  if (out.distinct_count == 0) return {};
  TRY_ASSIGN(std::vector<JsonRow> rows,
             profile.Fetch(TopValuesSql(profile.scope, column, kTopValues)));
  for (JsonRow& row : rows) {
    top.push_back({.value = Shown(std::move(row[0])), .count = AsInteger(row[1])});
  }
  return {};
}

void Warn(ProfiledColumn& column, std::string code, std::string message) {
  column.warnings.push_back({.code = std::move(code), .message = std::move(message)});
}

Status AddWarnings(const Profile& profile, const ScopedColumn& column, int64_t numbers,
                   ProfiledColumn& out) {
  if (out.count == 0) {
    if (profile.row_count > 0) Warn(out, "all_null", "Every value is NULL.");
    return {};
  }
  if (out.distinct_count == 1 && out.count > 1) {
    Warn(out, "constant", fmt::format("All {} values are the same.", out.count));
  }
  const int64_t filled = out.count - out.empty_count.value_or(0);
  if (IsText(column.read_as.id) && filled > 0 && numbers == filled) {
    Warn(out, "numbers_as_text", fmt::format("All {} non-empty texts are numbers.", filled));
  }
  if (out.null_pct > kManyNullsPct) {
    Warn(out, "many_nulls", fmt::format("{}% of the rows are NULL.", out.null_pct));
  }
  if (!IsText(column.read_as.id) || !out.is_unique || out.count < 2) return {};
  TRY_ASSIGN(const std::vector<JsonRow> rows,
             profile.Fetch(FoldedDistinctSql(profile.scope, column)));
  const int64_t folded = AsInteger(rows.front().front());
  if (folded < out.count) {
    Warn(out, "near_duplicates",
         fmt::format("Unique as written, but {} values repeat when blanks and letter case are"
                     " ignored.",
                     out.count - folded));
  }
  return {};
}

Status ProfileBatch(const Profile& profile, std::span<const ScopedColumn> columns,
                    std::vector<ProfiledColumn>& out) {
  const bool exact = profile.row_count <= kExactDistinctRowsMax;
  TRY_ASSIGN(
      std::vector<JsonRow> rows,
      profile.Fetch(StatisticsSql(profile.scope, columns,
                                  exact ? DistinctCount::kExact : DistinctCount::kEstimate)));
  const std::span<std::string> items(rows.front());
  const size_t first = out.size();
  for (size_t i = 0; i < columns.size(); ++i) {
    out.push_back(
        FromItems(columns[i], items.subspan(i * kProfileItems, kProfileItems), profile.row_count));
  }
  if (!exact) {
    TRY(CountSmallEstimates(profile, columns, std::span(out).subspan(first)));
  }
  for (size_t i = 0; i < columns.size(); ++i) {
    ProfiledColumn& column = out[first + i];
    column.is_unique =
        column.distinct_exact && column.count > 0 && column.distinct_count == column.count;
    TRY(AddTopValues(profile, columns[i], column));
    const int64_t numbers = AsInteger(items[i * kProfileItems + kItemNumbersAsText]);
    TRY(AddWarnings(profile, columns[i], numbers, column));
  }
  return {};
}

}  // namespace

Result<std::string> RunProfileTable(JobContext& context, json::View arguments) {
  TRY_ASSIGN(const ProfileTableIn in, json::Decode<ProfileTableIn>(arguments));
  TRY_ASSIGN(const TableScope scope, FindScope(context, in.name, in.columns));
  if (scope.columns.size() > static_cast<size_t>(kColumnsPerCallMax)) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_arguments",
                fmt::format("columns: {} columns are too many, a call profiles at most {}",
                            scope.columns.size(), kColumnsPerCallMax),
                "Name the columns of interest in `columns`; describe_table lists them.");
  }
  Profile profile{.context = context, .scope = scope};
  TRY_ASSIGN(const std::vector<JsonRow> rows, profile.Fetch("SELECT count(*) FROM " + scope.Sql()));
  profile.row_count = AsInteger(rows.front().front());
  ProfileTableOut out{.name = scope.name, .row_count = profile.row_count, .columns = {}};
  const std::span<const ScopedColumn> columns(scope.columns);
  for (size_t first = 0; first < columns.size(); first += kColumnsPerScan) {
    TRY(ProfileBatch(profile,
                     columns.subspan(first, std::min(kColumnsPerScan, columns.size() - first)),
                     out.columns));
    context.output.Progress(static_cast<double>(out.columns.size()),
                            static_cast<double>(columns.size()), "columns profiled");
  }
  return SendMeta(context, out);
}

}  // namespace ducat::analyst
