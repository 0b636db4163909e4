#include "app/metrics.h"

#include <map>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <tuple>
#include <utility>

#include "app/process_metrics.h"
#include "mcp/error_mapping.h"

namespace ducat::app {
namespace {

using prometheus::Counter;
using prometheus::Family;
using prometheus::Gauge;
using prometheus::Histogram;
using Labels = prometheus::Labels;

constexpr std::string_view kUnknownTool = "_unknown";

// A call is a memory lookup or a query of half a minute.
const Histogram::BucketBoundaries kSeconds{0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30};
const Histogram::BucketBoundaries kBytes{256, 1'024, 4'096, 16'384, 65'536, 262'144, 1'048'576};

double Seconds(std::chrono::microseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}

}  // namespace

struct Metrics::Impl {
  Family<Counter>& Counters(const std::string& name, const std::string& help) {
    return prometheus::BuildCounter().Name("ducat_" + name).Help(help).Register(registry);
  }
  Family<Gauge>& Gauges(const std::string& name, const std::string& help) {
    return prometheus::BuildGauge().Name("ducat_" + name).Help(help).Register(registry);
  }
  Family<Histogram>& Histograms(const std::string& name, const std::string& help) {
    return prometheus::BuildHistogram().Name("ducat_" + name).Help(help).Register(registry);
  }
  void AskStates();

  // The metrics of one tool and outcome, looked up once.
  struct ToolHandles {
    Counter* calls;
    Histogram* seconds;
    Histogram* bytes;
    Counter* rows;
  };
  ToolHandles& Tool(std::string_view tool, std::string_view outcome);

  struct RequestHandles {
    Counter* requests;
    Histogram* seconds;
  };
  // Texts are literals.
  using RequestKey = std::tuple<std::string_view, bool, mcp::Method, std::string_view>;
  RequestHandles& Request(const mcp::CallRecord& record);
  Counter& Responses(std::string_view route, int status);

  prometheus::Registry registry;
  ProcessMetrics process;
  std::function<MetricStates()> states;
  std::map<std::pair<std::string, std::string>, ToolHandles> tool_handles;
  std::map<RequestKey, RequestHandles> request_handles;
  std::map<std::pair<std::string_view, int>, Counter*> response_handles;

  Family<Counter>& requests = Counters("requests_total", "Tool calls, resource reads, prompts.");
  Family<Histogram>& request_seconds =
      Histograms("request_duration_seconds", "From the request to its reply.");
  Family<Counter>& tool_calls = Counters("tool_calls_total", "Tool calls.");
  Family<Histogram>& tool_seconds = Histograms("tool_duration_seconds", "Time of a tool call.");
  Family<Histogram>& tool_bytes = Histograms("tool_output_bytes", "Size of a tool's reply.");
  Family<Counter>& tool_rows = Counters("tool_rows_total", "Rows in the replies of tools.");
  Family<Counter>& rejections =
      Counters("tool_rejections_total", "Calls that ended with an error.");
  Family<Counter>& repairs =
      Counters("argument_repairs_total", "Arguments that were put right before they were judged.");
  Family<Counter>& responses = Counters("http_responses_total", "HTTP responses.");
  Family<Counter>& parse_errors = Counters("http_parse_errors_total", "Requests that are no HTTP.");
  Family<Counter>& attempts = Counters("auth_attempts_total", "Requests that were authenticated.");
  Counter& limited =
      Counters("rate_limited_total", "Requests over their principal's rate.").Add({});
  Family<Counter>& reload_failures =
      Counters("config_reload_failures_total", "Files that were broken when read again.");
  Counter& audit_errors =
      Counters("audit_errors_total", "Writes that the audit log did not take.").Add({});
  Family<Gauge>& connections = Gauges("connections", "Open HTTP connections.");
  Family<Gauge>& in_flight = Gauges("inflight_requests", "Requests in flight.");
  Gauge& queued = Gauges("queued_tool_calls", "Calls that wait for others.").Add({});
  Gauge& sessions = Gauges("sessions", "Legacy sessions.").Add({});
  Gauge& subscriptions = Gauges("subscriptions", "Listen streams.").Add({});
  Family<Gauge>& tasks = Gauges("tasks", "Tasks that are kept.");
};

Metrics::Impl::ToolHandles& Metrics::Impl::Tool(std::string_view tool, std::string_view outcome) {
  const auto key = std::pair(std::string(tool), std::string(outcome));
  if (const auto found = tool_handles.find(key); found != tool_handles.end()) return found->second;
  const Labels labels{{"tool", key.first}, {"outcome", key.second}};
  return tool_handles
      .emplace(key, ToolHandles{.calls = &tool_calls.Add(labels),
                                .seconds = &tool_seconds.Add(labels, kSeconds),
                                .bytes = &tool_bytes.Add(labels, kBytes),
                                .rows = &tool_rows.Add(labels)})
      .first->second;
}

Metrics::Impl::RequestHandles& Metrics::Impl::Request(const mcp::CallRecord& record) {
  const bool is_modern = mcp::IsModern(record.revision);
  const RequestKey key{record.transport, is_modern, record.method, record.outcome};
  if (const auto found = request_handles.find(key); found != request_handles.end()) {
    return found->second;
  }
  const Labels labels{{"transport", std::string(record.transport)},
                      {"era", is_modern ? "modern" : "legacy"},
                      {"method", std::string(mcp::Name(record.method))},
                      {"outcome", std::string(record.outcome)}};
  return request_handles
      .emplace(key, RequestHandles{.requests = &requests.Add(labels),
                                   .seconds = &request_seconds.Add(labels, kSeconds)})
      .first->second;
}

Counter& Metrics::Impl::Responses(std::string_view route, int status) {
  Counter*& known = response_handles[{route, status}];
  if (known == nullptr) {
    known = &responses.Add({{"route", std::string(route)}, {"code", std::to_string(status)}});
  }
  return *known;
}

void Metrics::Impl::AskStates() {
  if (!states) return;
  const MetricStates now = states();
  connections.Add({{"state", "open"}}).Set(static_cast<double>(now.connections));
  in_flight.Add({{"transport", "http"}}).Set(static_cast<double>(now.requests_in_flight));
  queued.Set(static_cast<double>(now.calls_waiting));
  sessions.Set(static_cast<double>(now.sessions));
  subscriptions.Set(static_cast<double>(now.subscriptions));
  for (size_t i = 0; i < now.tasks.size(); ++i) {
    const auto status = static_cast<mcp::TaskStatus>(i);
    tasks.Add({{"status", std::string(mcp::Name(status))}}).Set(static_cast<double>(now.tasks[i]));
  }
}

Metrics::Metrics(std::string_view version) : impl_(std::make_unique<Impl>()) {
  impl_->Gauges("build_info", "The version that runs.")
      .Add({{"version", std::string(version)}})
      .Set(1);
}

Metrics::~Metrics() = default;

void Metrics::set_states(std::function<MetricStates()> states) {
  impl_->states = std::move(states);
}

std::string Metrics::Text() const {
  impl_->AskStates();
  std::vector<prometheus::MetricFamily> families = impl_->registry.Collect();
  for (prometheus::MetricFamily& family : impl_->process.Collect()) {
    families.push_back(std::move(family));
  }
  return prometheus::TextSerializer().Serialize(families);
}

void Metrics::Ended(const mcp::CallRecord& record) {
  const Impl::RequestHandles& request = impl_->Request(record);
  request.requests->Increment();
  request.seconds->Observe(Seconds(record.took));
  if (record.method != mcp::Method::kToolsCall) return;
  const std::string_view tool = record.is_known ? record.target : kUnknownTool;
  const Impl::ToolHandles& handles = impl_->Tool(tool, record.outcome);
  handles.calls->Increment();
  handles.seconds->Observe(Seconds(record.took));
  handles.bytes->Observe(static_cast<double>(record.bytes));
  CountRepairs(tool, record.repairs);
  if (record.rows) handles.rows->Increment(static_cast<double>(*record.rows));
  if (record.reason.empty()) return;
  if (record.reason == mcp::reason::kRateLimited) RateLimited();
  impl_->rejections.Add({{"tool", std::string(tool)}, {"reason", std::string(record.reason)}})
      .Increment();
}

void Metrics::CountRepairs(std::string_view tool, const mcp::RepairCounts& repairs) {
  const auto count = [this, tool](const char* kind, size_t times) {
    if (times == 0) return;
    impl_->repairs.Add({{"tool", std::string(tool)}, {"kind", kind}})
        .Increment(static_cast<double>(times));
  };
  count("aliased", repairs.aliased);
  count("ignored", repairs.ignored);
  count("coerced", repairs.coerced);
}

void Metrics::Responded(std::string_view route, int status) {
  impl_->Responses(route, status).Increment();
}

void Metrics::ParseFailed(std::string_view kind) {
  impl_->parse_errors.Add({{"kind", std::string(kind)}}).Increment();
}

void Metrics::Authenticated(std::string_view mode, std::string_view outcome) {
  impl_->attempts.Add({{"mode", std::string(mode)}, {"outcome", std::string(outcome)}}).Increment();
}

void Metrics::RateLimited() {
  impl_->limited.Increment();
}

void Metrics::ReloadFailed(std::string_view what) {
  impl_->reload_failures.Add({{"what", std::string(what)}}).Increment();
}

void Metrics::AuditFailed() {
  impl_->audit_errors.Increment();
}

}  // namespace ducat::app
