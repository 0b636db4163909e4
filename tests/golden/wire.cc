#include "wire.h"

#include <array>
#include <fcntl.h>
#include <unistd.h>

#include "transport/stdio.h"

namespace ducat::testing {
namespace {

class MemoryWire final : public Wire {
 public:
  explicit MemoryWire(McpFixture& fixture) : fixture_(fixture) {}
  void Feed(std::string_view message) override { fixture_.client->Feed(message); }
  void Advance(std::chrono::milliseconds step) override { fixture_.Advance(step); }
  std::vector<std::string> Take() override { return fixture_.client->Take(); }

 private:
  McpFixture& fixture_;
};

class StdioWire final : public Wire {
 public:
  explicit StdioWire(McpFixture& fixture) : fixture_(fixture) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    CHECK(::pipe2(in.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    CHECK(::pipe2(out.data(), O_CLOEXEC | O_NONBLOCK) == 0);
    to_ = in[1];
    from_ = out[0];
    transport_ = std::make_unique<transport::StdioTransport>(
        fixture.loop, *fixture.server,
        transport::StdioDescriptors{.input = in[0], .output = out[1]}, transport::StdioOptions{},
        [](int) {});
    transport_->Start();
  }
  ~StdioWire() override {
    ::close(to_);
    ::close(from_);
  }

  void Feed(std::string_view message) override {
    const std::string line = std::string(message) + "\n";
    CHECK(::write(to_, line.data(), line.size()) == static_cast<ssize_t>(line.size()));
    Settle();
  }
  void Advance(std::chrono::milliseconds step) override {
    fixture_.Advance(step);
    Settle();
  }
  std::vector<std::string> Take() override {
    std::vector<std::string> lines;
    for (size_t end = unread_.find('\n'); end != unread_.npos; end = unread_.find('\n')) {
      lines.push_back(unread_.substr(0, end));
      unread_.erase(0, end + 1);
    }
    CHECK(unread_.empty());
    return lines;
  }

 private:
  void Settle() {
    std::array<char, 65'536> chunk{};
    size_t handlers = 1;
    while (handlers > 0) {
      fixture_.loop.restart();
      handlers = fixture_.loop.poll();
      const ssize_t got = ::read(from_, chunk.data(), chunk.size());
      if (got > 0) unread_.append(chunk.data(), static_cast<size_t>(got));
    }
  }

  McpFixture& fixture_;
  int to_ = -1;
  int from_ = -1;
  std::string unread_;
  std::unique_ptr<transport::StdioTransport> transport_;
};

}  // namespace

std::unique_ptr<Wire> MakeMemoryWire(McpFixture& fixture) {
  return std::make_unique<MemoryWire>(fixture);
}
std::unique_ptr<Wire> MakeStdioWire(McpFixture& fixture) {
  return std::make_unique<StdioWire>(fixture);
}

}  // namespace ducat::testing
