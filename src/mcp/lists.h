#pragma once
// Lists: tools/list, prompts/list, resources/list and resources/templates/list, in registration
// order, paged (protocol.md 11.1). The elements are encoded once per revision and kept until the
// registry changes. Owned by the server; control thread only.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/view.h"
#include "mcp/cursor.h"
#include "mcp/limits.h"
#include "mcp/params.h"
#include "mcp/registry.h"
#include "mcp/request.h"
#include "mcp/results_encoder.h"

namespace ducat::mcp {

inline constexpr int64_t kListTtlMs = 300'000;

class Lists {
 public:
  Lists(const Registry& registry, const Limits& limits) : registry_(registry), limits_(limits) {}

  // Adds the list's members to an open result; -32602 for a cursor that is not ours.
  // Shows what `grant` covers.
  [[nodiscard]] Params<void> Append(ListKind kind, const Request& request, ResultWriter& out);
  // All tools as the JSON array of tools/list.
  [[nodiscard]] std::string ToolsJson(Revision revision);

 private:
  struct Encoded {
    uint64_t version = 0;
    std::vector<std::string> items;
    std::string first_page;      // items joined, as far as the first page goes
    std::vector<Scopes> scopes;  // of each item; empty: none needs any
  };
  [[nodiscard]] const Encoded& Items(ListKind kind, Revision revision);
  [[nodiscard]] uint64_t VersionOf(ListKind kind) const;
  void EncodeAll(ListKind kind, Revision revision, Encoded& out) const;

  const Registry& registry_;
  const Limits& limits_;
  CursorCodec cursors_;
  std::array<std::array<Encoded, kRevisionCount>, 4> cache_;
};

}  // namespace ducat::mcp
