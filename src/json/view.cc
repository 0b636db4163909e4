#include "json/view.h"

#include <cmath>
#include <vector>

#include "json/tape.h"
#include "json/writer.h"

namespace ducat::json {

static_assert(sizeof(View) == 16 && std::is_trivially_copyable_v<View>);

namespace {

constexpr double kExactLimit = 9007199254740992.0;  // 2^53

bool IsWhole(double value) {
  return std::abs(value) <= kExactLimit && std::trunc(value) == value;
}

void AppendNumberAt(const Tape& tape, size_t i, std::string& out) {
  switch (tape::TagAt(tape, i)) {
    case tape::kInteger:
      out += std::to_string(tape::NumberAt<int64_t>(tape, i));
      break;
    case tape::kUnsigned:
      out += std::to_string(tape::NumberAt<uint64_t>(tape, i));
      break;
    default:
      AppendShortest(out, tape::NumberAt<double>(tape, i));
  }
}

void AppendScalarAt(const Tape& tape, size_t i, std::string& out) {
  switch (tape::TagAt(tape, i)) {
    case tape::kNull:
      out += "null";
      break;
    case tape::kTrue:
      out += "true";
      break;
    case tape::kFalse:
      out += "false";
      break;
    case tape::kString:
      out += '"';
      AppendEscaped(out, tape::StringAt(tape, i));
      out += '"';
      break;
    default:
      AppendNumberAt(tape, i, out);
  }
}

}  // namespace

Type View::type() const {
  if (tape_ == nullptr) return Type::kNull;
  switch (tape::TagAt(*tape_, index_)) {
    case tape::kObject:
      return Type::kObject;
    case tape::kArray:
      return Type::kArray;
    case tape::kString:
      return Type::kString;
    case tape::kInteger:
      return Type::kInteger;
    case tape::kUnsigned:
      return Type::kUnsigned;
    case tape::kDouble:
      return Type::kDouble;
    case tape::kTrue:
    case tape::kFalse:
      return Type::kBoolean;
    default:
      return Type::kNull;
  }
}

bool View::IsNumber() const {
  const Type kind = type();
  return kind == Type::kInteger || kind == Type::kUnsigned || kind == Type::kDouble;
}

std::optional<bool> View::AsBoolean() const {
  if (type() != Type::kBoolean) return std::nullopt;
  return tape::TagAt(*tape_, index_) == tape::kTrue;
}

std::optional<int64_t> View::AsInteger() const {
  if (type() == Type::kInteger) return tape::NumberAt<int64_t>(*tape_, index_);
  if (type() != Type::kDouble) return std::nullopt;
  const auto value = tape::NumberAt<double>(*tape_, index_);
  if (!IsWhole(value)) return std::nullopt;
  return static_cast<int64_t>(value);
}

std::optional<uint64_t> View::AsUnsigned() const {
  if (type() == Type::kUnsigned) return tape::NumberAt<uint64_t>(*tape_, index_);
  const std::optional<int64_t> value = AsInteger();
  if (!value || *value < 0) return std::nullopt;
  return static_cast<uint64_t>(*value);
}

std::optional<double> View::AsDouble() const {
  switch (type()) {
    case Type::kInteger:
      return static_cast<double>(tape::NumberAt<int64_t>(*tape_, index_));
    case Type::kUnsigned:
      return static_cast<double>(tape::NumberAt<uint64_t>(*tape_, index_));
    case Type::kDouble:
      return tape::NumberAt<double>(*tape_, index_);
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> View::AsString() const {
  if (type() != Type::kString) return std::nullopt;
  return tape::StringAt(*tape_, index_);
}

std::optional<View> View::Find(std::string_view key) const {
  std::optional<View> found;
  ForEachMember([&](std::string_view name, View value) {
    if (name != key) return true;
    found = value;
    return false;
  });
  return found;
}

size_t View::Size() const {
  if (!IsObject() && !IsArray()) return 0;
  const size_t count = tape_->words[index_] >> 32 & tape::kCountSaturated;
  if (count < tape::kCountSaturated) return count;
  size_t exact = 0;
  const auto tally = [&] { return ++exact, true; };
  ForEachMember([&](std::string_view, View) { return tally(); });
  ForEachElement([&](View) { return tally(); });
  return exact;
}

void View::VisitMembers(void* erased, bool (*fn)(void*, std::string_view, View)) const {
  if (!IsObject()) return;
  const size_t end = tape::After(*tape_, index_) - 1;
  for (size_t i = index_ + 1; i < end;) {
    if (!fn(erased, tape::StringAt(*tape_, i), View(tape_, i + 1))) return;
    i = tape::After(*tape_, i + 1);
  }
}

void View::VisitElements(void* erased, bool (*fn)(void*, View)) const {
  if (!IsArray()) return;
  const size_t end = tape::After(*tape_, index_) - 1;
  for (size_t i = index_ + 1; i < end; i = tape::After(*tape_, i)) {
    if (!fn(erased, View(tape_, i))) return;
  }
}

std::string View::ToJson() const {
  std::string out;
  if (tape_ == nullptr) return "null";
  // A walk over the words, not over values: depth costs no stack of ours. One character per open
  // container tells what comes next: '[' an element, '{' a key, ':' a member's value.
  std::string open;
  bool first = true;
  const size_t end = tape::After(*tape_, index_);
  for (size_t i = index_; i < end; i += tape::IsWide(tape::TagAt(*tape_, i)) ? 2 : 1) {
    const uint8_t tag = tape::TagAt(*tape_, i);
    if (tape::IsEnd(tag)) {
      out += static_cast<char>(tag);
      open.pop_back();
    } else {
      const bool is_key = !open.empty() && open.back() == '{';
      if (!first && (is_key || (!open.empty() && open.back() == '['))) out += ',';
      if (!open.empty() && open.back() == ':') open.back() = '{';
      if (tape::IsContainer(tag)) {
        out += static_cast<char>(tag);
        open += static_cast<char>(tag);
        first = true;
        continue;
      }
      AppendScalarAt(*tape_, i, out);
      if (is_key) {
        out += ':';
        open.back() = ':';
      }
    }
    first = false;
  }
  return out;
}

}  // namespace ducat::json
