#include "mcp/registry.h"

#include <algorithm>
#include <set>
#include <utility>

#include "mcp/tool_rules.h"

namespace ducat::mcp {

Status Registry::AddTool(Tool tool) {
  TRY(CheckTool(tool));
  return TakeTool(std::move(tool));
}

Status Registry::AddFreeFormTool(Tool tool) {
  if (tool.input_schema.empty() || tool.input != nullptr || !tool.call) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_tool",
                "tool " + tool.info.name + ": a free-form tool has a schema in words");
  }
  return TakeTool(std::move(tool));
}

Status Registry::TakeTool(Tool tool) {
  if (FindTool(tool.info.name) != nullptr) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_tool",
                "tool " + tool.info.name + ": the name is taken");
  }
  if (tool.info.tasks != TaskMode::kNever) offers_tasks_ = true;
  tools_.push_back(std::make_shared<const Tool>(std::move(tool)));
  Changed(Change::kTools);
  return {};
}

void Registry::RemoveTool(std::string_view name) {
  const size_t before = tools_.size();
  std::erase_if(tools_, [name](const auto& tool) { return tool->info.name == name; });
  if (tools_.size() != before) Changed(Change::kTools);
}

Status Registry::AddPrompt(Prompt prompt) {
  TRY(CheckPrompt(prompt));
  for (const Prompt& other : prompts_) {
    if (other.name != prompt.name) continue;
    return Fail(ErrorCode::kInvalidArgument, "invalid_prompt",
                "prompt " + prompt.name + ": the name is taken");
  }
  prompts_.push_back(std::move(prompt));
  Changed(Change::kPrompts);
  return {};
}

void Registry::RemovePrompt(std::string_view name) {
  if (std::erase_if(prompts_, [name](const Prompt& prompt) { return prompt.name == name; }) > 0) {
    Changed(Change::kPrompts);
  }
}

void Registry::AddResources(ResourceProvider provider) {
  resources_.push_back(std::move(provider));
  Changed(Change::kResources);
}

void Registry::SetInstructions(std::function<std::string()> instructions, Scopes scopes) {
  instructions_ = std::move(instructions);
  instructions_scopes_ = std::move(scopes);
}

std::shared_ptr<const Tool> Registry::FindTool(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tools_, [name](const auto& tool) { return tool->info.name == name; });
  return found == tools_.end() ? nullptr : *found;
}

const DisabledTool* Registry::FindDisabledTool(std::string_view name) const {
  // "saved_*" stands for every name that begins so.
  const auto found = std::ranges::find_if(disabled_, [name](const DisabledTool& tool) {
    const std::string_view own = tool.name;
    return own.ends_with('*') ? name.starts_with(own.substr(0, own.size() - 1)) : own == name;
  });
  return found == disabled_.end() ? nullptr : &*found;
}

void Registry::NotifyResourceUpdated(std::string_view uri) {
  if (updated_listener_) updated_listener_(uri);
}

void Registry::Changed(Change kind) {
  ++versions_[static_cast<size_t>(kind)];
  if (listener_) listener_(kind);
}

Scopes Registry::AllScopes() const {
  std::set<std::string> all;
  for (const auto& tool : tools_) {
    all.insert(tool->info.scopes.begin(), tool->info.scopes.end());
  }
  for (const Prompt& prompt : prompts_) {
    all.insert(prompt.scopes.begin(), prompt.scopes.end());
  }
  for (const ResourceProvider& provider : resources_) {
    all.insert(provider.scopes.begin(), provider.scopes.end());
  }
  return {all.begin(), all.end()};
}

}  // namespace ducat::mcp
