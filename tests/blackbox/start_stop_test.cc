// Starts and ends of the server at every moment: it answers, ends as it should, and leaves neither
// a process nor a directory (protocol.md F-03). DUCAT_STARTS sets how often; 1,000 by hand.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>

#include "ducat_process.h"

namespace ducat::testing {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr int kStarts = 6;  // of each way to end
constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":)"
    R"("2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})";
constexpr std::string_view kLongCall =
    R"({"jsonrpc":"2.0","id":"long","method":"tools/call","params":{"name":"query","arguments":)"
    R"({"sql":"SELECT count(*) FROM range(100000000) a, range(100000000) b"}}})";

int Starts() {
  const char* given = std::getenv("DUCAT_STARTS");
  return given == nullptr ? kStarts : std::max(1, std::atoi(given));
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  const std::string number = std::to_string(pid);
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

// Sooner or later after the last line, another moment each time.
void Wait(int turn, int step_ms) {
  std::this_thread::sleep_for(std::chrono::milliseconds(turn % 8 * step_ms));
}

struct Ending {
  const char* name;
  void (*run)(DucatProcess& server, int turn);
};

class EveryEnding : public ::testing::TestWithParam<Ending> {
 protected:
  void SetUp() override {
    data_.Write("t.csv", "id,name\n1,a\n2,b\n");
    data_.Write("u.jsonl", "{\"a\":1}\n{\"a\":2}\n");
  }
  ScratchFolder data_;
};

TEST_P(EveryEnding, LeavesNothingBehind) {
  for (int turn = 0; turn < Starts(); ++turn) {
    SCOPED_TRACE(turn);
    DucatProcess server({"analyst", "--data", data_.string()});
    server.Send(kInitialize);
    ASSERT_THAT(server.ReadLineWith("\"init\""), HasSubstr("\"protocolVersion\":\"2025-11-25\""));
    server.Send(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    Wait(turn, 3);
    GetParam().run(server, turn);
    const std::vector<pid_t> workers = ChildrenOf(server.pid());
    ASSERT_EQ(server.WaitForExit(), 0) << server.Errors();
    for (const pid_t worker : workers)
      EXPECT_EQ(kill(worker, 0), -1) << "a worker lives on";
    EXPECT_TRUE(fs::is_empty(server.home().path() / "tmp"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, EveryEnding,
    ::testing::Values(Ending{"EndOfInput", [](DucatProcess&, int) {}},
                      Ending{"Terminate",
                             [](DucatProcess& server, int) { server.Signal(SIGTERM); }},
                      Ending{"TerminateInACall",
                             [](DucatProcess& server, int turn) {
                               server.Send(kLongCall);
                               Wait(turn, 20);
                               server.Signal(SIGTERM);
                             }},
                      Ending{"TerminateTwice",
                             [](DucatProcess& server, int turn) {
                               server.Send(kLongCall);
                               Wait(turn, 10);
                               server.Signal(SIGTERM);
                               server.Signal(SIGINT);
                             }},
                      Ending{"OutputGone",
                             [](DucatProcess& server, int turn) {
                               server.Send(kLongCall);
                               Wait(turn, 10);
                               server.CloseOutput();
                               server.Send(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
                             }}),
    [](const auto& test) { return std::string(test.param.name); });

// The client is gone before it said a word.
TEST(StartAndStop, EndsWhenNobodyTalks) {
  const ScratchFolder data;
  for (int turn = 0; turn < Starts(); ++turn) {
    DucatProcess server({"analyst", "--data", data.string()});
    Wait(turn, 2);
    EXPECT_EQ(server.WaitForExit(), 0) << server.Errors();
    EXPECT_TRUE(fs::is_empty(server.home().path() / "tmp"));
  }
}

// A signal before the server listens for it ends it like any program; the next start clears up.
TEST(StartAndStop, IsEndedByASignalAtAnyMoment) {
  const ScratchFolder data;
  for (int turn = 0; turn < Starts(); ++turn) {
    DucatProcess server({"analyst", "--data", data.string()});
    Wait(turn, 1);
    server.Signal(SIGTERM);
    EXPECT_THAT(server.WaitForExit(), ::testing::AnyOf(0, 128 + SIGTERM)) << server.Errors();
  }
}

}  // namespace
}  // namespace ducat::testing
