#pragma once
// StringOutput: an Output that keeps what a job answers, for unit tests and benchmarks. Not linked
// into the product.

#include <string>
#include <string_view>
#include <vector>

#include "worker/child/job.h"

namespace ducat::worker::child {

class StringOutput final : public Output {
 public:
  void Progress(double done, double /*total*/, std::string_view /*text*/) override {
    progress.push_back(done);
  }
  Status Meta(std::string_view json_object) override {
    meta = json_object;
    return {};
  }
  Status Rows(std::string_view bytes) override {
    rows.append(bytes);
    ++row_pieces;
    return {};
  }
  Status Text(std::string_view escaped) override {
    text.append(escaped);
    return {};
  }

  std::vector<double> progress;
  std::string meta, rows, text;
  int row_pieces = 0;
};

}  // namespace ducat::worker::child
