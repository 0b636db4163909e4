#include "app/metrics.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::app {
namespace {

using testing::HasSubstr;
using testing::Not;

mcp::CallRecord Call(std::string_view tool, std::string_view outcome) {
  return {.request_id = "7K3QD-M2XW9",
          .transport = "http",
          .principal = "alice",
          .target = tool,
          .took = std::chrono::milliseconds(20),
          .outcome = outcome,
          .bytes = 1'000};
}

TEST(MetricsTest, CountsCallsByToolAndOutcome) {
  Metrics metrics("1.2.3");
  mcp::CallRecord ok = Call("query", "ok");
  ok.rows = 7;
  metrics.Ended(ok);
  metrics.Ended(ok);
  mcp::CallRecord failed = Call("query", "error");
  failed.reason = "unknown_table";
  metrics.Ended(failed);
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("# TYPE ducat_tool_calls_total counter\n"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_calls_total{outcome=\"ok\",tool=\"query\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_calls_total{outcome=\"error\",tool=\"query\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_tool_rows_total{outcome=\"ok\",tool=\"query\"} 14\n"));
  EXPECT_THAT(text,
              HasSubstr("ducat_tool_rejections_total{reason=\"unknown_table\",tool=\"query\"} 1"));
  EXPECT_THAT(text,
              HasSubstr("ducat_tool_duration_seconds_count{outcome=\"ok\",tool=\"query\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ducat_requests_total{era=\"modern\",method=\"tools/call\","
                              "outcome=\"ok\",transport=\"http\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ducat_build_info{version=\"1.2.3\"} 1\n"));
}

TEST(MetricsTest, NamesNoToolThatDoesNotExist) {
  Metrics metrics("1");
  for (const char* name : {"a\"b", "x1", "x2"}) {
    mcp::CallRecord call = Call(name, "denied");
    call.is_known = false;
    metrics.Ended(call);
  }
  EXPECT_THAT(metrics.Text(),
              HasSubstr("ducat_tool_calls_total{outcome=\"denied\",tool=\"_unknown\"} 3\n"));
  EXPECT_THAT(metrics.Text(), Not(HasSubstr("x1")));
}

TEST(MetricsTest, CountsRepairsByKind) {
  Metrics metrics("1");
  mcp::CallRecord call = Call("query", "ok");
  call.repairs = {.aliased = 2, .ignored = 0, .coerced = 1};
  metrics.Ended(call);
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("ducat_argument_repairs_total{kind=\"aliased\",tool=\"query\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("ducat_argument_repairs_total{kind=\"coerced\",tool=\"query\"} 1\n"));
  EXPECT_THAT(text, Not(HasSubstr("kind=\"ignored\"")));
}

TEST(MetricsTest, TellsNoPrincipal) {
  Metrics metrics("1");
  metrics.Ended(Call("query", "ok"));
  EXPECT_THAT(metrics.Text(), Not(HasSubstr("alice")));
}

TEST(MetricsTest, CountsWhatTheTransportDoes) {
  Metrics metrics("1");
  metrics.Responded("mcp", 200);
  metrics.Responded("mcp", 401);
  metrics.ParseFailed("bare_lf");
  metrics.Authenticated("jwt", "invalid");
  metrics.RateLimited();
  metrics.ReloadFailed("tokens");
  metrics.AuditFailed();
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("ducat_http_responses_total{code=\"401\",route=\"mcp\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_http_parse_errors_total{kind=\"bare_lf\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_auth_attempts_total{mode=\"jwt\",outcome=\"invalid\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_rate_limited_total 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_config_reload_failures_total{what=\"tokens\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("ducat_audit_errors_total 1\n"));
}

TEST(MetricsTest, AsksForStatesWhenRead) {
  MetricStates states{.connections = 3, .sessions = 2, .tasks = {0, 4}};
  Metrics metrics("1");
  metrics.set_states([&states] { return states; });
  EXPECT_THAT(metrics.Text(), HasSubstr("ducat_connections{state=\"open\"} 3\n"));
  EXPECT_THAT(metrics.Text(), HasSubstr("ducat_sessions 2\n"));
  EXPECT_THAT(metrics.Text(), HasSubstr("ducat_tasks{status=\"input_required\"} 4\n"));
  states.connections = 0;
  EXPECT_THAT(metrics.Text(), HasSubstr("ducat_connections{state=\"open\"} 0\n"));
}

TEST(MetricsTest, DescribesTheProcess) {
  const std::string text = Metrics("1").Text();
  for (const char* name : {"process_cpu_seconds_total", "process_resident_memory_bytes",
                           "process_virtual_memory_bytes", "process_start_time_seconds",
                           "process_open_fds", "process_max_fds"}) {
    EXPECT_THAT(text, HasSubstr(std::string("\n") + name + " ")) << name;
  }
}

}  // namespace
}  // namespace ducat::app
