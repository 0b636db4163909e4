#include "load_client.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/core.h>

#include "child_process.h"

namespace ducat::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{},"clientInfo":{"name":"load","version":"1"}}})"
    "\n";
constexpr const char* kInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                                     "\n";

void AppendCall(std::string& out, size_t id, const LoadOptions& options) {
  out.append(R"({"jsonrpc":"2.0","id":)").append(std::to_string(id));
  out.append(R"(,"method":"tools/call","params":{"name":")").append(options.tool);
  out.append(R"(","arguments":)").append(options.arguments);
  if (options.modern) {
    out.append(R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientCapabilities":{},)"
               R"("io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"}})");
  }
  out.append("}}\n");
}

void CheckReply(const std::string& line) {
  if (line.find("\"result\"") != line.npos && line.find("\"isError\"") == line.npos) return;
  fmt::print(stderr, "unexpected reply: {}\n", line);
  std::exit(EXIT_FAILURE);
}

}  // namespace

CallRate MeasureCalls(const std::vector<std::string>& command, const LoadOptions& options) {
  ChildProcess server(command);
  if (!options.modern) {
    server.Write(kInitialize);
    CheckReply(server.ReadReply());
    server.Write(kInitialized);
  }
  std::string first;
  AppendCall(first, 1, options);
  server.Write(first);
  CheckReply(server.ReadReply());

  const double cpu_before = server.cpu_seconds();
  const auto begin = SteadyClock::now();
  size_t sent = 0;
  size_t received = 0;
  std::string batch;
  while (received < options.calls) {
    batch.clear();
    while (sent < options.calls && sent - received < options.window) {
      AppendCall(batch, ++sent + 1, options);
    }
    server.Write(batch);
    received += server.CountReplies();
  }
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  const auto calls = static_cast<double>(options.calls);
  return {.per_second = calls / seconds,
          .server_cpu_us = (server.cpu_seconds() - cpu_before) / calls * 1e6,
          .resident_mib = server.resident_mib()};
}

}  // namespace ducat::bench
