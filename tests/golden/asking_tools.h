#pragma once
// What the transcripts have besides the protocol's usual fixture: a tool that asks its client, and
// one whose calls become tasks. Added to a fixture before anybody connects.

#include "support/mcp_fixture.h"

namespace ducat::testing {

void AddAskingTools(McpFixture& fixture);

}  // namespace ducat::testing
