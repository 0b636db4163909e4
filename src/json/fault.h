#pragma once
// Fault: why a text was refused, in words with a place. The parser only says that something is
// wrong; this second look, taken on refused texts alone, names the byte, or the path of a number
// that does not fit. Strict JSON (RFC 8259), without recursion, linear in the text. Pure, any
// thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ducat::json {

struct Fault {
  enum class Kind : uint8_t { kNone, kSyntax, kNumber, kDepth };
  Kind kind = Kind::kNone;
  size_t offset = 0;
  std::string text;  // kSyntax: what was expected; kNumber: "params.n: 1e400"
};

// The first fault of `text`; kNone when it is JSON whose numbers all fit.
[[nodiscard]] Fault FindFault(std::string_view text, size_t depth_max);

enum class NumberForm : uint8_t { kMalformed, kFits, kTooLarge };
// Judges a whole token by RFC 8259: integers have to fit into int64 or uint64, others into a
// double.
[[nodiscard]] NumberForm JudgeNumber(std::string_view token);

// Length of the string token (with its quotes) at the start of `text`, or 0 with `fault` set to
// what is wrong at `offset` within it.
struct StringScan {
  size_t length = 0;
  size_t offset = 0;
  const char* fault = nullptr;
};
[[nodiscard]] StringScan ScanString(std::string_view text);

}  // namespace ducat::json
