#pragma once
// The limits of ParseLimits over a parsed tape: exact depth, node count, duplicate keys. One pass
// without recursion; the duplicate check compares the keys of small objects in pairs and sorts
// those of large ones, so no input makes it quadratic. Owned by a Document; its memory is reused.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/tape.h"
#include "json/view.h"

namespace ducat::json {

class TapeCheck {
 public:
  // The message of the first limit that is broken; nothing when all hold.
  [[nodiscard]] std::optional<std::string> Broken(const Tape& tape, const ParseLimits& limits);

 private:
  struct Key {
    uint64_t head = 0;  // first eight bytes, zero-padded
    std::string_view text;
  };
  static bool Less(const Key& a, const Key& b);
  static bool Same(const Key& a, const Key& b);
  void CollectKeys(const Tape& tape, size_t object);
  [[nodiscard]] std::optional<std::string_view> DuplicateKey();

  std::vector<Key> keys_;
};

}  // namespace ducat::json
