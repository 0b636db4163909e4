#pragma once
// Registry: everything a server offers, in registration order. Packs add to it in their *_pack.cc;
// nothing registers itself. A rule of protocol.md 14.1/14.2 that is broken is an Error that stops
// the start. Adding or removing tools later bumps the list version and calls the change listener.
// Control thread only; owned by the app, outlives the server.

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "mcp/resource.h"
#include "mcp/tool.h"

namespace ducat::mcp {

// A tool that a setting keeps away. It is listed nowhere; a call of it is told how to get it.
struct DisabledTool {
  std::string name;
  std::string reason;  // "saved_queries_disabled"
  std::string why;     // "saved queries are off"
  std::string hint;    // what turns it on
};

class Registry {
 public:
  enum class Change : uint8_t { kTools, kPrompts, kResources };

  // Reason "invalid_tool" / "invalid_prompt"; the message names tool and rule.
  [[nodiscard]] Status AddTool(Tool tool);
  // A tool whose schema and answers are JSON as it stands; the rules of schemas are not checked.
  // For fixture servers of tests, whose tools others prescribe.
  [[nodiscard]] Status AddFreeFormTool(Tool tool);
  void RemoveTool(std::string_view name);
  void AddDisabledTool(DisabledTool tool) { disabled_.push_back(std::move(tool)); }
  [[nodiscard]] Status AddPrompt(Prompt prompt);
  void RemovePrompt(std::string_view name);
  void AddResources(ResourceProvider provider);
  // Appended to the server's instructions at discover and initialize, at most 800 characters in
  // all.
  // `scopes`: of those who may read them.
  void SetInstructions(std::function<std::string()> instructions, Scopes scopes = {});
  // Says before the start that a list will change later: only then is listChanged advertised and
  // sent.
  void WillChange(Change kind) { will_change_[static_cast<size_t>(kind)] = true; }
  [[nodiscard]] bool will_change(Change kind) const {
    return will_change_[static_cast<size_t>(kind)];
  }

  // Every scope that something needs, sorted.
  [[nodiscard]] Scopes AllScopes() const;

  // A tool may be removed while a call of it runs, so whoever runs it holds it.
  [[nodiscard]] const std::vector<std::shared_ptr<const Tool>>& tools() const { return tools_; }
  [[nodiscard]] std::shared_ptr<const Tool> FindTool(std::string_view name) const;
  // Null when there is none.
  [[nodiscard]] const DisabledTool* FindDisabledTool(std::string_view name) const;
  // Whether some call may become a task.
  [[nodiscard]] bool offers_tasks() const { return offers_tasks_; }
  [[nodiscard]] const std::vector<Prompt>& prompts() const { return prompts_; }
  [[nodiscard]] const std::vector<ResourceProvider>& resources() const { return resources_; }
  [[nodiscard]] std::string instructions(const Grant& grant) const {
    const bool shown = instructions_ && MayUse(grant, instructions_scopes_);
    return shown ? instructions_() : "";
  }

  // One listener each (the server). Called on the control thread after a change.
  void OnChange(std::function<void(Change)> listener) { listener_ = std::move(listener); }
  void OnResourceUpdated(std::function<void(std::string_view uri)> listener) {
    updated_listener_ = std::move(listener);
  }
  void NotifyResourcesChanged() { Changed(Change::kResources); }
  void NotifyResourceUpdated(std::string_view uri);
  [[nodiscard]] uint64_t version(Change kind) const { return versions_[static_cast<size_t>(kind)]; }

 private:
  [[nodiscard]] Status TakeTool(Tool tool);
  void Changed(Change kind);
  std::vector<std::shared_ptr<const Tool>> tools_;
  std::vector<DisabledTool> disabled_;
  std::vector<Prompt> prompts_;
  std::vector<ResourceProvider> resources_;
  std::function<std::string()> instructions_;
  Scopes instructions_scopes_;
  std::function<void(Change)> listener_;
  std::function<void(std::string_view)> updated_listener_;
  std::array<uint64_t, 3> versions_{1, 1, 1};
  std::array<bool, 3> will_change_{};
  bool offers_tasks_ = false;
};

}  // namespace ducat::mcp
