// A worker for tests: confined and run like ducat-worker, with jobs that misbehave on purpose.

#include <string>
#include <utility>
#include <vector>

#include "worker/child/run_worker.h"

namespace {

using ducat::Result;
using ducat::json::View;
using ducat::worker::child::JobContext;

Result<std::string> Echo(JobContext& context, View arguments) {
  TRY(context.output.Meta(arguments.ToJson()));
  TRY(context.output.Rows("[1,\"a\"],[2,\"b\"]"));
  TRY(context.output.Text("| 1 | a |\\n"));
  return std::string(R"({"rows":2})");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<ducat::worker::child::JobEntry> jobs{{"echo", Echo}};
  return ducat::worker::child::RunWorker(std::move(jobs), argc, argv);
}
