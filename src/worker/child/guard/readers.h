#pragma once
// File readers in FROM (guard.md 6.6 and 11): one literal path or a list of them, and constant
// options from a closed list per family. Judges the call in the tree and says what to put in its
// place. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/view.h"
#include "worker/child/guard/place.h"

namespace ducat::guard {

enum class ReaderFamily : uint8_t { kCsv, kJson, kJsonObjects, kParquet, kNoOptions };

// Nothing for functions that are no readers.
[[nodiscard]] std::optional<ReaderFamily> ReaderFamilyOf(std::string_view function);
// sniff_csv takes exactly one file and no list.
[[nodiscard]] bool TakesOneFile(std::string_view function);

struct PathLiteral {
  std::string value;  // decoded by the engine
  uint64_t location = kNowhere;
};

struct ReaderFault {
  std::string code, message, hint;
  uint64_t location = kNowhere;
  std::string option;  // the name of the one refused
};

struct ReaderCall {
  std::vector<PathLiteral> paths;
  bool list = false;          // the argument is a list
  bool limits_depth = false;  // maximum_depth is given
  std::optional<ReaderFault> path_fault, option_fault;
};

// `function`: the FUNCTION node of the call, `name` its leaf name in lower case.
[[nodiscard]] ReaderCall ReadCall(json::View function, std::string_view name);

}  // namespace ducat::guard
