#include "json/tape_check.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"

namespace ducat::json {

namespace {

constexpr size_t kPairwiseMax = 12;      // keys; above it sorting is cheaper
constexpr size_t kKeepKeys = 16 * 1024;  // more are given back after the parse

std::string DuplicateMessage(const Tape& tape, size_t object, std::string_view key) {
  std::string path = PathOf(tape, object);
  AppendKeyToPath(path, key);
  return "Duplicate key: " + path + " is there twice.";
}

}  // namespace

bool TapeCheck::Less(const Key& a, const Key& b) {
  if (a.head != b.head) return a.head < b.head;
  return a.text < b.text;
}

bool TapeCheck::Same(const Key& a, const Key& b) {
  return a.head == b.head && a.text == b.text;
}

void TapeCheck::CollectKeys(const Tape& tape, size_t object) {
  keys_.clear();
  const size_t end = tape::After(tape, object) - 1;
  for (size_t i = object + 1; i < end; i = tape::After(tape, i + 1)) {
    Key key{.text = tape::StringAt(tape, i)};
    std::memcpy(&key.head, key.text.data(), std::min(key.text.size(), sizeof(key.head)));
    keys_.push_back(key);
  }
}

std::optional<std::string_view> TapeCheck::DuplicateKey() {
  if (keys_.size() <= kPairwiseMax) {
    for (size_t i = 1; i < keys_.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (Same(keys_[i], keys_[j])) return keys_[i].text;
      }
    }
    return std::nullopt;
  }
  std::sort(keys_.begin(), keys_.end(), Less);
  const auto twice = std::adjacent_find(keys_.begin(), keys_.end(), Same);
  if (twice == keys_.end()) return std::nullopt;
  return twice->text;
}

std::optional<std::string> TapeCheck::Broken(const Tape& tape, const ParseLimits& limits) {
  std::optional<std::string> broken;
  size_t depth = 0;
  size_t words = 0;  // values and keys
  size_t keys = 0;
  for (size_t i = tape::kRoot; i < tape.end && !broken;) {
    const uint8_t tag = tape::TagAt(tape, i);
    if (tape::IsEnd(tag)) {
      --depth;
      ++i;
      continue;
    }
    if (tape::IsContainer(tag) && ++depth > limits.depth_max) {
      broken = "Nesting is deeper than " + WithThousands(uint64_t{limits.depth_max}) + " levels.";
      break;
    }
    if (tag == tape::kObject) {
      const size_t count = tape.words[i] >> 32 & tape::kCountSaturated;
      if (limits.refuse_duplicate_keys || count == tape::kCountSaturated) CollectKeys(tape, i);
      keys += count == tape::kCountSaturated ? keys_.size() : count;
      if (limits.refuse_duplicate_keys) {
        if (const auto key = DuplicateKey()) broken = DuplicateMessage(tape, i, *key);
      }
    }
    ++words;
    i += tape::IsWide(tag) ? 2 : 1;
  }
  if (!broken && words - keys > limits.nodes_max) {
    broken = "More than " + WithThousands(uint64_t{limits.nodes_max}) + " values.";
  }
  if (keys_.capacity() > kKeepKeys) keys_ = {};
  return broken;
}

}  // namespace ducat::json
