#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcp/call_record.h"
#include "mcp/server.h"
#include "support/mcp_fixture.h"

namespace ducat::mcp {
namespace {

using ::ducat::testing::LegacyRequest;
using ::ducat::testing::McpFixture;
using ::ducat::testing::ModernRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Keeps each record as a line.
class Recorder final : public CallObserver {
 public:
  explicit Recorder(bool wants_arguments = true) : wants_arguments_(wants_arguments) {}

  std::vector<std::string> lines;
  std::optional<Error> refuse;

  [[nodiscard]] bool wants_arguments() const override { return wants_arguments_; }
  [[nodiscard]] Status MayBegin() override {
    if (refuse) return Failure(*refuse);
    return {};
  }
  void Ended(const CallRecord& record) override {
    EXPECT_FALSE(record.request_id.empty());
    lines.push_back(std::string(Name(record.method)) + " " + std::string(record.target) + " " +
                    std::string(record.arguments) + " " + std::string(record.outcome) + " " +
                    std::to_string(record.code) + " " + std::string(record.reason) +
                    (record.is_known ? "" : " unknown"));
    bytes = record.bytes;
  }
  size_t bytes = 0;

 private:
  bool wants_arguments_;
};

ServerOptions Observed(Recorder& recorder) {
  ServerOptions options;
  options.observers.push_back(&recorder);
  return options;
}

TEST(Observers, AreToldOfEveryCall) {
  Recorder recorder;
  McpFixture fixture(Observed(recorder));
  const std::string reply = fixture.Ask(
      ModernRequest("1", "tools/call", R"("name":"echo","arguments":{"message":"hi"})"));
  EXPECT_THAT(recorder.lines, ElementsAre(R"(tools/call echo {"message":"hi"} ok 0 )"));
  EXPECT_EQ(recorder.bytes, reply.size());
}

TEST(Observers, SeeArgumentsInOneOrder) {
  Recorder recorder;
  McpFixture fixture(Observed(recorder));
  for (const char* arguments : {R"({"z":1,"message":"a"})", R"({ "message" : "a", "z" : 1 })"}) {
    (void)fixture.Ask(
        ModernRequest("1", "tools/call", R"("name":"echo","arguments":)" + std::string(arguments)));
  }
  ASSERT_EQ(recorder.lines.size(), 2U);
  EXPECT_EQ(recorder.lines[0], recorder.lines[1]);
}

TEST(Observers, AreToldOfRefusedCalls) {
  Recorder recorder;
  McpFixture fixture(Observed(recorder));
  (void)fixture.Ask(ModernRequest("1", "tools/call", R"("name":"nothing")"));
  (void)fixture.Ask(ModernRequest("2", "tools/call", R"("name":"slow","arguments":{"ms":-1})"));
  (void)fixture.Ask(ModernRequest("3", "resources/read", R"("uri":"none://x")"));
  EXPECT_THAT(recorder.lines,
              ElementsAre("tools/call nothing {} denied -32602  unknown",
                          R"(tools/call slow {"ms":-1} error -32602 invalid_arguments)",
                          HasSubstr("resources/read none://x {} denied -32")));
}

TEST(Observers, AreToldOfCancelledCallsOnce) {
  Recorder recorder;
  McpFixture fixture(Observed(recorder));
  (void)fixture.Ask(ModernRequest("7", "tools/call", R"("name":"slow","arguments":{"ms":60000})"));
  EXPECT_THAT(recorder.lines, IsEmpty());
  (void)fixture.Ask(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  fixture.clock.Advance(std::chrono::minutes(2));
  (void)fixture.Ask(ModernRequest("8", "server/discover", ""));
  EXPECT_THAT(recorder.lines, ElementsAre(R"(tools/call slow {"ms":60000} cancelled 0 )"));
}

TEST(Observers, MayRefuseCalls) {
  Recorder recorder;
  recorder.refuse = Error{.code = ErrorCode::kUnavailable,
                          .reason = "audit_unavailable",
                          .message = "Not now.",
                          .hint = {},
                          .data = {}};
  McpFixture fixture(Observed(recorder));
  EXPECT_THAT(
      fixture.Ask(ModernRequest("1", "tools/call", R"("name":"echo","arguments":{"message":"a"})")),
      HasSubstr("audit_unavailable"));
  EXPECT_THAT(recorder.lines, ElementsAre(HasSubstr("error -32000 audit_unavailable")));
  recorder.refuse.reset();
  EXPECT_THAT(
      fixture.Ask(ModernRequest("2", "tools/call", R"("name":"echo","arguments":{"message":"a"})")),
      HasSubstr("Echo"));
}

TEST(Observers, GetNoArgumentsThatTheyDoNotWant) {
  Recorder recorder(false);
  McpFixture fixture(Observed(recorder));
  (void)fixture.Ask(
      ModernRequest("1", "tools/call", R"("name":"echo","arguments":{"message":"hi"})"));
  EXPECT_THAT(recorder.lines, ElementsAre("tools/call echo  ok 0 "));
}

}  // namespace
}  // namespace ducat::mcp
