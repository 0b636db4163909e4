#pragma once
// The methods that are served, and in which era (protocol.md 3.1, 4, 5.2). A name that is not here
// is unknown in both. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string_view>

namespace ducat::mcp {

enum class Method : uint8_t {
  kInitialize,
  kPing,
  kSetLevel,
  kResourcesSubscribe,
  kResourcesUnsubscribe,
  kDiscover,
  kListen,
  kToolsList,
  kToolsCall,
  kResourcesList,
  kTemplatesList,
  kResourcesRead,
  kPromptsList,
  kPromptsGet,
  kComplete,
  kTasksGet,
  kTasksUpdate,
  kTasksCancel,
};

[[nodiscard]] std::optional<Method> ParseMethod(std::string_view name);
[[nodiscard]] std::string_view Name(Method method);

// Methods of one era only; all others are served in both.
[[nodiscard]] constexpr bool IsLegacyOnly(Method method) {
  return method <= Method::kResourcesUnsubscribe;
}
[[nodiscard]] constexpr bool IsModernOnly(Method method) {
  return method == Method::kDiscover || method == Method::kListen;
}
// Methods of the tasks extension: modern, and unknown to everything legacy.
[[nodiscard]] constexpr bool IsTaskMethod(Method method) {
  return method >= Method::kTasksGet;
}
// Methods whose answer may take a while; they count as in flight and can be cancelled.
[[nodiscard]] constexpr bool MayTakeTime(Method method) {
  return method == Method::kToolsCall || method == Method::kResourcesRead ||
         method == Method::kPromptsGet;
}

}  // namespace ducat::mcp
