// A transcript over HTTP: every message is a POST of its own, with the headers that belong to it;
// what comes back is told with status and headers, a stream event by event.
#include <array>
#include <list>
#include <utility>

#include "json/writer.h"
#include "mcp/message.h"
#include "support/http_fixture.h"
#include "wire.h"

namespace ducat::testing {
namespace {

constexpr std::array<std::string_view, 3> kShownHeaders{"content-type", "mcp-session-id",
                                                        "cache-control"};

class HttpWire final : public Wire {
 public:
  explicit HttpWire(HttpFixture& fixture) : fixture_(fixture) {}

  void Feed(std::string_view message) override {
    Exchange& exchange = exchanges_.emplace_back(fixture_);
    exchange.client.Send(Post(message, HeadersFor(message)));
    Collect();
  }
  void Advance(std::chrono::milliseconds step) override {
    fixture_.Advance(step);
    Collect();
  }
  std::vector<std::string> Take() override { return std::exchange(told_, {}); }

 private:
  struct Exchange {
    explicit Exchange(HttpFixture& fixture) : client(fixture) {}
    HttpClient client;
    bool begun = false;
    bool streams = false;
    bool over = false;
    std::string unread;  // of the stream, chunks and all
  };

  // Modern messages repeat in headers what they say; others belong to the session.
  [[nodiscard]] std::string HeadersFor(std::string_view message) const {
    json::Document document;
    const auto root = document.Parse(message, {.refuse_duplicate_keys = false});
    if (!root || !mcp::HasClaim(*root)) return session_;
    const auto text = [](json::View object, std::string_view name) {
      return std::string(object.Find(name).value_or(json::View()).AsString().value_or(""));
    };
    const json::View params = root->Find("params").value_or(json::View());
    const std::string method = text(*root, "method");
    std::string name = text(params, method == "resources/read" ? "uri" : "name");
    if (method.starts_with("tasks/")) name = text(params, "taskId");
    return Mirror(method, name);
  }

  void Collect() {
    for (Exchange& exchange : exchanges_) {
      if (!exchange.begun) Begin(exchange);
      if (exchange.streams) ReadEvents(exchange);
    }
    std::erase_if(exchanges_, [](const Exchange& exchange) { return exchange.over; });
  }

  void Begin(Exchange& exchange) {
    if (!exchange.client.ReadUntil([&] { return exchange.client.has_unread(); },
                                   std::chrono::milliseconds(20))) {
      return;
    }
    const HttpReply reply = exchange.client.Read();
    exchange.begun = true;
    exchange.streams = reply.Header("transfer-encoding") == "chunked";
    exchange.over = !exchange.streams;
    std::string out;
    json::JsonWriter writer(out);
    writer.BeginObject();
    writer.Field("status", reply.status);
    writer.Key("headers");
    writer.BeginObject();
    for (const std::string_view name : kShownHeaders) {
      const std::string value = reply.Header(std::string(name));
      if (value.empty()) continue;
      if (name == "mcp-session-id") session_ = "Mcp-Session-Id: " + value + "\r\n";
      writer.Field(name, name == "mcp-session-id" ? "(22 characters)" : value);
    }
    writer.EndObject();
    if (!reply.body.empty()) writer.RawField("body", reply.body);
    writer.EndObject();
    told_.push_back(std::move(out));
  }

  // Whole chunks; each holds whole events.
  void ReadEvents(Exchange& exchange) {
    exchange.unread.append(exchange.client.ReadForAWhile());
    for (size_t line = 0; (line = exchange.unread.find("\r\n")) != std::string::npos;) {
      const size_t size = std::stoul(exchange.unread.substr(0, line), nullptr, 16);
      if (exchange.unread.size() < line + 2 + size + 2) return;
      TellEvents(exchange.unread.substr(line + 2, size));
      exchange.unread.erase(0, line + 2 + size + 2);
      exchange.over = size == 0;
      if (exchange.over) told_.emplace_back(R"({"stream":"ended"})");
    }
  }

  void TellEvents(std::string_view events) {
    constexpr std::string_view kData = "data: ";
    for (size_t at = events.find(kData); at != events.npos; at = events.find(kData, at)) {
      const size_t end = events.find('\n', at);
      const std::string_view data = events.substr(at + kData.size(), end - at - kData.size());
      if (!data.empty()) told_.push_back(R"({"event":)" + std::string(data) + "}");
      at = end;
    }
  }

  HttpFixture& fixture_;
  std::string session_;
  std::list<Exchange> exchanges_;
  std::vector<std::string> told_;
};

}  // namespace

std::unique_ptr<Wire> MakeHttpWire(HttpFixture& fixture) {
  return std::make_unique<HttpWire>(fixture);
}

}  // namespace ducat::testing
