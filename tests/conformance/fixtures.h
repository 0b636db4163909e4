#pragma once
// The fixtures of the conformance suite (protocol.md 18.3): what tools, prompts and resources must
// be called and answer is prescribed by the suite. Built once by main; borrows the registry and the
// loop.

#include <boost/asio/io_context.hpp>

#include "mcp/registry.h"

namespace ducat::conformance {

// A png and a wav, as small as they get.
inline constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
inline constexpr std::string_view kWav =
    "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

// A form of one field, a text that is required.
[[nodiscard]] mcp::InputRequest AskText(std::string_view message, std::string_view field);

// Tools that answer at once, and those that take their time.
void AddContentTools(mcp::Registry& registry);
void AddRunningTools(mcp::Registry& registry, boost::asio::io_context& loop);
// Tools that ask the client, and those whose calls become tasks.
void AddAskingTools(mcp::Registry& registry);
void AddTaskTools(mcp::Registry& registry, boost::asio::io_context& loop);
void AddPrompts(mcp::Registry& registry);
void AddResources(mcp::Registry& registry);

}  // namespace ducat::conformance
