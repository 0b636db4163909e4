#pragma once
// FrameOutput: a job's answer as frames. Gathers rows and text into pieces of at most 256 KiB, lets
// at most ten progress reports a second through, and refuses to take more once the job has been
// interrupted, so that a job that only writes ends soon. Job thread only; lives as long as one job.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "worker/child/channel.h"
#include "worker/child/job.h"
#include "worker/child/job_watch.h"

namespace ducat::worker::child {

class FrameOutput final : public Output {
 public:
  FrameOutput(Channel& channel, const JobWatch& watch, uint64_t job)
      : channel_(channel), watch_(watch), job_(job) {}

  void Progress(double done, double total, std::string_view text) override;
  Status Meta(std::string_view json_object) override;
  Status Rows(std::string_view bytes) override;
  Status Text(std::string_view escaped) override;
  // What is still gathered; before DONE.
  void Flush();

 private:
  [[nodiscard]] Status Gather(FrameKind kind, std::string& gathered, std::string_view bytes);

  static constexpr std::chrono::milliseconds kProgressInterval{100};

  Channel& channel_;
  const JobWatch& watch_;
  uint64_t job_;
  std::string rows_, text_;
  bool meta_sent_ = false, pieces_begun_ = false;
  std::chrono::steady_clock::time_point next_progress_;
};

}  // namespace ducat::worker::child
