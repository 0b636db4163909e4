#pragma once
// The words of rejected arguments (protocol.md 14.4): one function per row of that table. Place
// says where in the arguments a value stands; it is built on the stack while decoding and becomes
// text only when there is something to say. Internal to this layer, pure, any thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/decode.h"
#include "json/shape.h"
#include "json/view.h"

namespace ducat::json {

struct Place {
  const Place* parent = nullptr;  // null: the root
  std::string_view key;
  size_t index = 0;
  bool is_element = false;
  const Field* field = nullptr;  // the declared field, also for its elements
};

[[nodiscard]] std::string PathText(const Place& place);

// Clips to kIssueBytesMax.
[[nodiscard]] std::string ClipIssue(std::string text);

[[nodiscard]] Issue MissingIssue(const Place& place, const Shape& shape);
[[nodiscard]] Issue TypeIssue(const Place& place, const Shape& shape, View received);
struct UnknownKey {
  std::string key;
  std::string near;  // nearest declared name, or empty
};
[[nodiscard]] Issue UnknownKeysIssue(const Place& place, const Shape& shape,
                                     const std::vector<UnknownKey>& unknown, size_t count);
// `earlier` is the key that already gave the field its value: its name, or another alias.
[[nodiscard]] Issue AliasIssue(const Place& place, std::string_view alias, std::string_view earlier,
                               std::string_view name);
[[nodiscard]] Issue OptionIssue(const Place& place, const Shape& shape, View received);
[[nodiscard]] Issue NulIssue(const Place& place);
[[nodiscard]] Issue FormatIssue(const Place& place, Format format, std::string_view received);
[[nodiscard]] Issue PatternIssue(const Place& place, std::string_view pattern);

// `bound` is the text of the number.
enum class Counted : uint8_t { kNumber, kCharacters, kItems };
[[nodiscard]] Issue TooSmallIssue(const Place& place, Counted counted, std::string_view bound);
[[nodiscard]] Issue TooBigIssue(const Place& place, Counted counted, std::string_view bound);

}  // namespace ducat::json
