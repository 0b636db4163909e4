// The stdio transport over real descriptors: a server in a thread of its own loop, a client here.
#include "transport/stdio.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/mcp_fixture.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::FillFixture;
using ::ducat::testing::FixtureState;
using ::ducat::testing::ModernRequest;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr milliseconds kPatience{20'000};  // under sanitizers on a busy machine

// A whole server process: what main does, with these descriptors.
int Serve(StdioDescriptors descriptors, StdioOptions options) {
  boost::asio::io_context loop(1);
  const SystemClock clock;
  Log log(clock, {.level = LogLevel::kSilent});
  mcp::Registry registry;
  const auto state =
      std::make_shared<FixtureState>(FixtureState{.loop = loop, .registry = &registry});
  FillFixture(registry, state);
  mcp::Server server(loop.get_executor(), registry, clock, log, {});
  state->timers = &server.timers();
  return RunStdio(loop, server, descriptors, std::move(options));
}

// A child process that serves, with this end of its descriptors.
class ServerChild {
 public:
  enum class Link { kPipes, kSocket };

  explicit ServerChild(Link link = Link::kPipes, const StdioOptions& options = {}) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (link == Link::kPipes) {
      CHECK(::pipe2(in.data(), O_CLOEXEC) == 0 && ::pipe2(out.data(), O_CLOEXEC) == 0);
    } else {
      CHECK(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) == 0);
      std::swap(in[0], in[1]);
      out = {::dup(in[1]), ::dup(in[0])};
    }
    started_ = std::chrono::steady_clock::now();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(in[1]);
      ::close(out[0]);
      const auto input = PrivateDescriptor(in[0], false);
      const auto output = PrivateDescriptor(out[1], true);
      ::close(in[0]);
      ::close(out[1]);
      ::_exit(input && output ? Serve({.input = *input, .output = *output}, options) : 99);
    }
    ::close(in[0]);
    ::close(out[1]);
    to_ = in[1];
    from_ = out[0];
  }
  ~ServerChild() {
    CloseInput();
    CloseOutput();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  ServerChild(const ServerChild&) = delete;
  ServerChild& operator=(const ServerChild&) = delete;

  // Writes while reading what comes back, so that neither side waits for the other.
  void Write(std::string_view bytes) {
    ::fcntl(to_, F_SETFL, ::fcntl(to_, F_GETFL) | O_NONBLOCK);
    while (!bytes.empty()) {
      const ssize_t put = ::write(to_, bytes.data(), bytes.size());
      if (put > 0) {
        bytes.remove_prefix(static_cast<size_t>(put));
        continue;
      }
      std::array<pollfd, 2> fds{{{.fd = to_, .events = POLLOUT}, {.fd = from_, .events = POLLIN}}};
      ::poll(fds.data(), fds.size(), static_cast<int>(kPatience.count()));
      if ((fds[1].revents & POLLIN) != 0) ReadSome();
    }
  }
  void CloseInput() {
    if (to_ >= 0) ::close(std::exchange(to_, -1));
  }
  void CloseOutput() {
    if (from_ >= 0) ::close(std::exchange(from_, -1));
  }

  // The next line; nothing at the end of output or when patience is over.
  std::optional<std::string> Line() {
    while (true) {
      if (const size_t end = buffer_.find('\n'); end != buffer_.npos) {
        std::string line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return line;
      }
      pollfd fd{.fd = from_, .events = POLLIN};
      if (::poll(&fd, 1, static_cast<int>(kPatience.count())) <= 0 || !ReadSome()) {
        return std::nullopt;
      }
    }
  }

  void Signal(int signal) const { ::kill(pid_, signal); }
  // Exit code; -1 when it does not end within its time.
  int Wait(milliseconds limit = kPatience) {
    const auto until = std::chrono::steady_clock::now() + limit;
    while (std::chrono::steady_clock::now() < until) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
      std::this_thread::sleep_for(milliseconds(5));
    }
    return -1;
  }
  [[nodiscard]] const std::string& unread() const { return buffer_; }

 private:
  bool ReadSome() {
    std::array<char, 65'536> chunk{};
    const ssize_t got = ::read(from_, chunk.data(), chunk.size());
    if (got <= 0) return false;
    buffer_.append(chunk.data(), static_cast<size_t>(got));
    return true;
  }

  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
  std::string buffer_;
  std::chrono::steady_clock::time_point started_;
};

std::string Echo(std::string_view id, std::string_view message = "m") {
  return ModernRequest(id, "tools/call",
                       R"("name":"echo","arguments":{"message":")" + std::string(message) + "\"}") +
         "\n";
}
std::string Slow(std::string_view id, int ms, bool stubborn = false) {
  return ModernRequest(id, "tools/call",
                       R"("name":"slow","arguments":{"ms":)" + std::to_string(ms) +
                           (stubborn ? R"(,"stubborn":true})" : "}")) +
         "\n";
}

class OverEveryLink : public ::testing::TestWithParam<ServerChild::Link> {};
INSTANTIATE_TEST_SUITE_P(Links, OverEveryLink,
                         ::testing::Values(ServerChild::Link::kPipes, ServerChild::Link::kSocket));

TEST_P(OverEveryLink, AnswersAndGoesAtTheEndOfInput) {
  ServerChild server(GetParam());
  server.Write(Echo("1"));
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
  server.Write("\r\n\n" + Echo("2"));
  EXPECT_THAT(*server.Line(), HasSubstr("\"id\":2"));
  server.CloseInput();
  if (GetParam() == ServerChild::Link::kSocket) server.CloseOutput();
  EXPECT_EQ(server.Wait(), 0);
}

TEST_P(OverEveryLink, CarriesLinesUpToTheLimit) {
  ServerChild server(GetParam());
  const std::string head = R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":")";
  for (const size_t size : {size_t{65'536}, size_t{4} << 20U, size_t{10} << 20U}) {
    server.Write(head + std::string(size - head.size() - 3, 'x') + "\"}}\n");
    EXPECT_THAT(*server.Line(), HasSubstr(R"({"jsonrpc":"2.0","id":1,"result":{}})")) << size;
  }
  server.Write(head + std::string((size_t{10} << 20U) + 1 - head.size() - 3, 'x') + "\"}}\n");
  const std::string refused = *server.Line();
  EXPECT_THAT(refused, HasSubstr("-32600"));
  EXPECT_THAT(refused, HasSubstr("10485760"));
  server.Write(Echo("2"));
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
}

TEST(Stdio, ProcessesALastLineWithoutNewline) {
  ServerChild server;
  std::string request = Echo("1");
  request.pop_back();
  server.Write(request);
  server.CloseInput();
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Stdio, FinishesWhatIsInFlightAfterTheEndOfInput) {
  ServerChild server;
  server.Write(Slow("1", 300));
  server.CloseInput();
  EXPECT_THAT(*server.Line(), HasSubstr("Took 300 ms."));
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Stdio, CancelsWhatTakesTooLongAfterTheEndOfInput) {
  ServerChild server(ServerChild::Link::kPipes, {.grace_after_end = milliseconds(100)});
  server.Write(Slow("1", 600'000, true));
  server.CloseInput();
  EXPECT_EQ(server.Line(), std::nullopt);
  EXPECT_EQ(server.Wait(), 0);
}

class OnSignal : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Signals, OnSignal, ::testing::Values(SIGTERM, SIGINT, SIGHUP));

TEST_P(OnSignal, EndsInOrder) {
  ServerChild server;
  server.Write(Echo("1") + ModernRequest("\"s\"", "subscriptions/listen", R"("notifications":{})") +
               "\n" + Slow("2", 600'000));
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
  EXPECT_THAT(*server.Line(), HasSubstr("acknowledged"));
  server.Signal(GetParam());
  EXPECT_THAT(*server.Line(), HasSubstr(R"("id":"s","result":{"resultType":"complete")"));
  EXPECT_THAT(*server.Line(), HasSubstr("notifications/cancelled"));
  EXPECT_EQ(server.Line(), std::nullopt);
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Stdio, GoesAtOnceAtTheSecondSignal) {
  ServerChild server(ServerChild::Link::kPipes, {.grace_after_signal = milliseconds(600'000)});
  server.Write(Slow("1", 600'000) + Echo("2"));
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(milliseconds(200)), -1);
  server.Signal(SIGTERM);
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Stdio, GoesWhenNobodyReads) {
  ServerChild server;
  server.CloseOutput();
  std::signal(SIGPIPE, SIG_IGN);
  server.Write(Echo("1"));
  EXPECT_EQ(server.Wait(), 0);
}

TEST(Stdio, StopsReadingWhenTheClientDoesNot) {
  StdioOptions options;
  options.limits.unwritten_bytes_max = 100'000;
  ServerChild server(ServerChild::Link::kPipes, options);
  // More replies than the pipe and the limit hold: the server must stop reading and go on later.
  const std::string payload(900, 'x');
  std::string requests;
  constexpr int kCount = 4'000;
  for (int i = 0; i < kCount; ++i)
    requests += Echo(std::to_string(i), payload);
  std::thread writer([&] { server.Write(requests); });
  writer.join();
  for (int i = 0; i < kCount; ++i) {
    const auto line = server.Line();
    ASSERT_TRUE(line.has_value()) << i;
    ASSERT_THAT(*line, HasSubstr("\"id\":" + std::to_string(i) + ",")) << i;
  }
}

// In this process, on a clock that stands still.
TEST(Stdio, DropsProgressFirstWhenTheClientDoesNotRead) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  ASSERT_EQ(::pipe2(in.data(), O_CLOEXEC | O_NONBLOCK), 0);
  ASSERT_EQ(::pipe2(out.data(), O_CLOEXEC | O_NONBLOCK), 0);
  ::ducat::testing::McpFixture fixture;
  StdioOptions options;
  options.limits.unwritten_bytes_max = 100'000;
  StdioTransport transport(fixture.loop, *fixture.server, {.input = in[0], .output = out[1]},
                           options, [](int) {});
  transport.Start();
  const auto ask = [&](const std::string& line) {
    ASSERT_EQ(::write(in[1], line.data(), line.size()), static_cast<ssize_t>(line.size()));
    fixture.client->Settle();
  };
  const auto read_all = [&] {
    std::string text;
    std::array<char, 65'536> chunk{};
    for (ssize_t got = 1; got > 0;) {
      got = ::read(out[0], chunk.data(), chunk.size());
      if (got > 0) text.append(chunk.data(), static_cast<size_t>(got));
      fixture.client->Settle();
    }
    return text;
  };
  const auto count = [](std::string_view id) {
    return ModernRequest(id, "tools/call", R"("name":"count")", R"("progressToken":1)") + "\n";
  };
  ask(count("1"));
  EXPECT_THAT(read_all(), HasSubstr("notifications/progress"));
  // A pipe holds 64 KiB, the replies have twice that: more than half of the limit waits.
  for (int i = 0; i < 60; ++i)
    ask(Echo("9", std::string(900, 'x')));
  ask(count("2"));
  const std::string rest = read_all();
  EXPECT_THAT(rest, HasSubstr("\"id\":2"));
  EXPECT_EQ(rest.find("notifications/progress"), rest.npos);
  ::close(in[1]);
  ::close(out[0]);
}

TEST(Stdio, ServesARegularFile) {
  char path[] = "/tmp/ducat_stdio_XXXXXX";
  const int file = ::mkstemp(path);
  ASSERT_GE(file, 0);
  std::string requests;
  for (int i = 0; i < 200; ++i)
    requests += Echo(std::to_string(i), std::string(900, 'y'));
  ASSERT_EQ(::write(file, requests.data(), requests.size()), static_cast<ssize_t>(requests.size()));
  ::lseek(file, 0, SEEK_SET);
  char answers[] = "/tmp/ducat_stdio_XXXXXX";
  const int output = ::mkstemp(answers);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(Serve({.input = ::dup(file), .output = ::dup(output)}, {}));
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::string text(static_cast<size_t>(::lseek(output, 0, SEEK_END)), '\0');
  ::pread(output, text.data(), text.size(), 0);
  EXPECT_EQ(std::ranges::count(text, '\n'), 200);
  EXPECT_EQ(text.find('\r'), text.npos);
  for (const char* name : {path, answers})
    ::unlink(name);
  ::close(file);
  ::close(output);
}

TEST(Stdio, CallsTheHookAfterTheFirstReply) {
  std::array<int, 2> told{};
  ASSERT_EQ(::pipe2(told.data(), O_CLOEXEC), 0);
  StdioOptions options;
  options.after_first_reply = [fd = told[1]] { static_cast<void>(::write(fd, "x", 1)); };
  ServerChild server(ServerChild::Link::kPipes, options);
  server.Write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n");
  pollfd fd{.fd = told[0], .events = POLLIN};
  EXPECT_EQ(::poll(&fd, 1, 50), 0);
  server.Write(Echo("1") + Echo("2"));
  static_cast<void>(server.Line());
  static_cast<void>(server.Line());
  EXPECT_EQ(::poll(&fd, 1, static_cast<int>(kPatience.count())), 1);
  server.CloseInput();
  EXPECT_EQ(server.Wait(), 0);
  std::array<char, 8> bytes{};
  EXPECT_EQ(::read(told[0], bytes.data(), bytes.size()), 1) << "once";
  ::close(told[0]);
  ::close(told[1]);
}

TEST(Stdio, ServesOnAfterAFloodOfNonsense) {
  ServerChild server;
  std::string flood;
  constexpr int kLines = 2'000;
  for (int i = 0; i < kLines; ++i)
    flood += i % 2 == 0 ? "\xFF\xFE{\n" : "[[[[\n";
  server.Write(flood);
  for (int i = 0; i < kLines; ++i)
    ASSERT_THAT(*server.Line(), HasSubstr("-32700"));
  server.Write(Echo("1"));
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
}

TEST(Stdio, KeepsTheLoopFreeWhileAToolRuns) {
  ServerChild server;
  server.Write(Slow("1", 600'000) + ModernRequest("2", "tools/list") + "\n");
  EXPECT_THAT(*server.Line(), HasSubstr("\"id\":2"));
  server.Write(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})"
               "\n" +
               Echo("1"));
  EXPECT_THAT(*server.Line(), HasSubstr("Echo: m"));
}

}  // namespace
}  // namespace ducat::transport
