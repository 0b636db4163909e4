#pragma once
// Metrics: the counters of protocol.md 15 in Prometheus' text format, fed by the protocol core and
// the HTTP transport; what is only a state (connections, sessions) is asked for when somebody
// reads. Owned by the app, outlives both; control thread only. Label values come from closed sets:
// a tool that does not exist is "_unknown". Names and units follow
// https://prometheus.io/docs/practices/naming/.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "mcp/call_record.h"
#include "mcp/tasks.h"
#include "transport/http/http_observer.h"

namespace ducat::app {

// States at the moment of reading.
struct MetricStates {
  size_t connections = 0;
  size_t requests_in_flight = 0;
  size_t calls_waiting = 0;
  size_t sessions = 0;
  size_t subscriptions = 0;
  std::array<size_t, mcp::kTaskStatuses> tasks{};
};

class Metrics final : public mcp::CallObserver, public transport::HttpObserver {
 public:
  explicit Metrics(std::string_view version);
  ~Metrics() override;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Where to ask; whoever is asked may end before this, when nobody reads any more.
  void set_states(std::function<MetricStates()> states);
  // Everything, as text 0.0.4.
  [[nodiscard]] std::string Text() const;

  void Ended(const mcp::CallRecord& record) override;
  void Responded(std::string_view route, int status) override;
  void ParseFailed(std::string_view kind) override;
  void Authenticated(std::string_view mode, std::string_view outcome) override;
  void RateLimited() override;
  void ReloadFailed(std::string_view what) override;
  void AuditFailed();

 private:
  void CountRepairs(std::string_view tool, const mcp::RepairCounts& repairs);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ducat::app
