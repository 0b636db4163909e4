#pragma once
// Registry: everything a server offers, in registration order. Packs add to it in their *_pack.cc;
// nothing registers itself. A rule of protocol.md 14.1/14.2 that is broken is an Error that stops the
// start. Adding or removing tools later bumps the list version and calls the change listener.

#include <functional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/resource.h"
#include "mcp/tool.h"

namespace ducat::mcp {

class Registry {
 public:
  [[nodiscard]] Status AddTool(Tool tool);
  void RemoveTool(std::string_view name);
  [[nodiscard]] Status AddPrompt(Prompt prompt);
  void AddResources(ResourceProvider provider);
  // Appended to the server's instructions at discover and initialize, at most 800 characters in all.
  void SetInstructions(std::function<std::string()> instructions);

  [[nodiscard]] const std::vector<Tool>& tools() const { return tools_; }
  [[nodiscard]] const Tool* FindTool(std::string_view name) const;
  [[nodiscard]] const std::vector<Prompt>& prompts() const { return prompts_; }
  [[nodiscard]] const std::vector<ResourceProvider>& resources() const { return resources_; }
  [[nodiscard]] std::string instructions() const { return instructions_ ? instructions_() : ""; }

  enum class Change : uint8_t { kTools, kPrompts, kResources };
  // One listener (the server). Called on the control thread after a change.
  void OnChange(std::function<void(Change)> listener) { listener_ = std::move(listener); }
  void NotifyResourcesChanged();
  [[nodiscard]] uint64_t version(Change kind) const { return versions_[static_cast<size_t>(kind)]; }

 private:
  void Changed(Change kind);
  std::vector<Tool> tools_;
  std::vector<Prompt> prompts_;
  std::vector<ResourceProvider> resources_;
  std::function<std::string()> instructions_;
  std::function<void(Change)> listener_;
  uint64_t versions_[3] = {1, 1, 1};
};

}  // namespace ducat::mcp
