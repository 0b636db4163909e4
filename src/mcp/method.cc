#include "mcp/method.h"

#include <array>

namespace ducat::mcp {
namespace {

// In enumerator order.
constexpr std::array<std::string_view, 18> kNames{"initialize",
                                                  "ping",
                                                  "logging/setLevel",
                                                  "resources/subscribe",
                                                  "resources/unsubscribe",
                                                  "server/discover",
                                                  "subscriptions/listen",
                                                  "tools/list",
                                                  "tools/call",
                                                  "resources/list",
                                                  "resources/templates/list",
                                                  "resources/read",
                                                  "prompts/list",
                                                  "prompts/get",
                                                  "completion/complete",
                                                  "tasks/get",
                                                  "tasks/update",
                                                  "tasks/cancel"};

}  // namespace

std::optional<Method> ParseMethod(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<Method>(i);
  }
  return std::nullopt;
}

std::string_view Name(Method method) {
  return kNames[static_cast<size_t>(method)];
}

}  // namespace ducat::mcp
