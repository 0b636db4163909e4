// The only file that knows simdjson. Its headers are large and their warnings are not ours.
#include <algorithm>
#include <bit>
#include <cstring>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wconversion"
#pragma clang diagnostic ignored "-Wshadow"
#include <simdjson.h>
#pragma clang diagnostic pop

#include "base/text.h"
#include "json/fault.h"
#include "json/tape.h"
#include "json/tape_check.h"
#include "json/view.h"

namespace ducat::json {

namespace {

constexpr size_t kCapacityMin = 1024;
// Memory for more text than this is given back when a much smaller text follows.
constexpr size_t kKeepCapacity = 256 * 1024;
constexpr size_t kShrinkRatio = 8;

size_t CapacityFor(size_t bytes) {
  if (bytes <= kKeepCapacity) return std::bit_ceil(std::max(bytes, kCapacityMin));
  return bytes + bytes / 8;
}

Failure SyntaxFailure(std::string_view what, size_t offset) {
  return Fail(
      ErrorCode::kInvalidArgument, "json_syntax",
      "Not valid JSON: " + std::string(what) + " (byte " + WithThousands(uint64_t{offset}) + ").");
}

Failure LimitFailure(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "json_limit", std::move(message));
}

Failure Refused(std::string_view text, const ParseLimits& limits, simdjson::error_code code) {
  if (code == simdjson::MEMALLOC || code == simdjson::CAPACITY) {
    return LimitFailure("The text of " + WithThousands(uint64_t{text.size()}) +
                        " bytes is too large to read.");
  }
  const Fault fault = FindFault(text, limits.depth_max);
  switch (fault.kind) {
    case Fault::Kind::kSyntax:
      return SyntaxFailure(fault.text, fault.offset);
    case Fault::Kind::kNumber:
      return LimitFailure("Number does not fit: " + fault.text +
                          ". Integers have to fit into 64 bits, others into a double; send it as "
                          "a string.");
    case Fault::Kind::kDepth:
      return LimitFailure("Nesting is deeper than " + WithThousands(uint64_t{limits.depth_max}) +
                          " levels.");
    case Fault::Kind::kNone:
      break;
  }
  return SyntaxFailure(simdjson::error_message(code), 0);
}

}  // namespace

struct Document::Impl {
  simdjson::dom::parser parser;
  std::unique_ptr<char[]> text;  // padded copy
  size_t capacity = 0;           // of `text`, the parser and its document
  size_t depth = 0;
  Tape tape;
  TapeCheck check;

  simdjson::error_code Reserve(size_t bytes, size_t depth_max) {
    const bool shrink = capacity > kKeepCapacity && bytes < capacity / kShrinkRatio;
    if (bytes <= capacity && depth_max == depth && !shrink) return simdjson::SUCCESS;
    const size_t wanted = bytes <= capacity && !shrink ? capacity : CapacityFor(bytes);
    capacity = 0;
    // One level more than allowed: an empty innermost container is not counted (TapeCheck is
    // exact).
    simdjson::error_code code = parser.allocate(wanted, depth_max + 1);
    if (code == simdjson::SUCCESS) code = parser.doc.allocate(wanted);
    if (code != simdjson::SUCCESS) return code;
    text = std::make_unique_for_overwrite<char[]>(wanted + simdjson::SIMDJSON_PADDING);
    capacity = wanted;
    depth = depth_max;
    return simdjson::SUCCESS;
  }

  simdjson::error_code Read(std::string_view source, size_t depth_max) {
    tape = {};
    simdjson::error_code code = Reserve(source.size(), depth_max);
    if (code != simdjson::SUCCESS) return code;
    std::memcpy(text.get(), source.data(), source.size());
    std::memset(text.get() + source.size(), ' ', simdjson::SIMDJSON_PADDING);
    code = parser.parse(text.get(), source.size(), false).error();
    if (code != simdjson::SUCCESS) return code;
    tape = {.words = parser.doc.tape.get(), .strings = parser.doc.string_buf.get()};
    tape.end = tape::After(tape, tape::kRoot);
    return code;
  }
};

Document::Document() : impl_(std::make_unique<Impl>()) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

Result<View> Document::Parse(std::string_view text, const ParseLimits& limits) {
  const simdjson::error_code code = impl_->Read(text, limits.depth_max);
  if (code != simdjson::SUCCESS) return Refused(text, limits, code);
  if (auto broken = impl_->check.Broken(impl_->tape, limits)) {
    impl_->tape = {};
    return LimitFailure(*std::move(broken));
  }
  return root();
}

View Document::root() const {
  if (impl_->tape.end == 0) return {};
  return {&impl_->tape, tape::kRoot};
}

}  // namespace ducat::json
