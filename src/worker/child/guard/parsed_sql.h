#pragma once
// A text as the engine's parser sees it: serialised without running anything (guard.md F15), then
// read as JSON. Owns the tree.

#include <optional>
#include <string>
#include <string_view>

#include "json/view.h"
#include "worker/child/engine/connection.h"

namespace ducat::guard {

enum class ParseOutcome : uint8_t {
  kTree,
  kSeveral,   // more than one statement
  kNoSelect,  // a statement, or a PIVOT without values, that has no tree
  kRefused,   // the parser's error
  kTooLarge,  // the tree passes the limits of the reader
  kEngine,    // the engine failed otherwise: interrupted, out of memory
};

struct ParsedSql {
  ParseOutcome outcome = ParseOutcome::kTree;
  engine::EngineError error;  // kRefused: position in characters of the text
  json::Document document;
  json::View statement;  // kTree: {node, named_param_map}
};

[[nodiscard]] ParsedSql ParseSql(engine::Connection& connection, std::string_view sql);
// From what SerializeSql gave.
[[nodiscard]] ParsedSql ReadSerialized(std::string_view serialized);

}  // namespace ducat::guard
