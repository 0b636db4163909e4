#pragma once
// The process_* metrics that every Prometheus client library gives
// (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics), read from /proc
// when somebody asks. What cannot be read is left out. Stateless; any thread.

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <vector>

namespace ducat::app {

class ProcessMetrics final : public prometheus::Collectable {
 public:
  [[nodiscard]] std::vector<prometheus::MetricFamily> Collect() const override;
};

}  // namespace ducat::app
