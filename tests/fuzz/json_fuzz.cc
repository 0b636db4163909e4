// JSON from end to end: the parser against our own strict scanner, what is read written and read
// again, arguments decoded and refused, strings escaped. Every disagreement aborts.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "json/decode.h"
#include "json/encode.h"
#include "json/fault.h"
#include "json/pattern.h"
#include "json/view.h"
#include "json/writer.h"

namespace ducat::json {
namespace {

enum class Unit : uint8_t { kDay, kWeek };

}  // namespace

template <>
struct EnumNames<Unit> {
  static constexpr std::array<std::string_view, 2> kNames{"day", "week"};
};

namespace {

struct Part {
  std::string name;
  std::optional<std::string> date;
  Nullable<int16_t> count;
  static constexpr auto Fields() {
    return std::array{
        Describe<&Part::name>("name", "n", {.min_length = 1, .max_length = 5, .trim = true}),
        Describe<&Part::date>("date", "d", {.format = Format::kDate}),
        Describe<&Part::count>("count", "c")};
  }
};

constexpr std::array<std::string_view, 1> kAliases{"top"};

struct Arguments {
  std::string id;
  int limit = 0;
  std::optional<uint64_t> huge;
  std::optional<double> share;
  std::optional<bool> exact;
  std::optional<Unit> unit;
  std::vector<Part> parts;
  std::vector<std::string> names;
  std::map<std::string, AnyValue> params;
  std::optional<std::string> link;
  static constexpr auto Fields() {
    return std::array{
        Describe<&Arguments::id>("id", "i", {.pattern = "^(?:[a-z]{1,4}|\\d+-?)*$"}),
        Describe<&Arguments::limit>(
            "limit", "l", {.minimum = 1, .maximum = 50, .default_json = "7", .aliases = kAliases}),
        Describe<&Arguments::huge>("huge", "h"),
        Describe<&Arguments::share>("share", "s", {.maximum = 1}),
        Describe<&Arguments::exact>("exact", "e"),
        Describe<&Arguments::unit>("unit", "u"),
        Describe<&Arguments::parts>("parts", "p", {.max_items = 4, .default_json = "[]"}),
        Describe<&Arguments::names>("names", "n", {.default_json = "[\"a\"]"}),
        Describe<&Arguments::params>("params", "p", {.default_json = "{}"}),
        Describe<&Arguments::link>("link", "l", {.format = Format::kUri, .free_text = true})};
  }
};

void CheckText(std::string_view text) {
  std::string escaped;
  AppendEscaped(escaped, text);
  const std::string repaired = RepairUtf8(text);
  CHECK(IsValidUtf8(repaired) && IsValidUtf8(escaped));
  CHECK(Unescape(escaped) == repaired);
  CHECK((repaired == text) == IsValidUtf8(text));
  static_cast<void>(Unescape(text));
  if (const auto bytes = Base64UrlDecode(text)) CHECK(Base64UrlEncode(*bytes) == text);
  if (text.size() > 200) return;
  const size_t split = text.size() / 2;
  if (const auto pattern = Pattern::Compile(text.substr(0, split))) {
    static_cast<void>(pattern->Matches(text.substr(split)));
  }
}

// A complete struct encodes to what the strict decoder reads back to the same bytes.
void CheckArguments(View root) {
  Arguments arguments;
  const DecodeReport report = DecodeArguments(kShape<Arguments>, root, &arguments);
  CHECK((report.issues_count == 0) == report.issues.empty());
  Document document;
  if (!report.issues.empty()) {
    const Error error = ArgumentsError("fuzz", report);
    CHECK(document.Parse("{" + error.data + "}", {.depth_max = 8}).has_value());
    CHECK(IsValidUtf8(error.message) && IsValidUtf8(error.hint));
    return;
  }
  CHECK(arguments.limit >= 1 && arguments.limit <= 50 && arguments.parts.size() <= 4);
  const std::string encoded = Encode(arguments);
  const Result<View> again = document.Parse(encoded, {.depth_max = 70});
  CHECK(again.has_value());
  const Result<Arguments> decoded = Decode<Arguments>(*again);
  CHECK(decoded.has_value() && Encode(*decoded) == encoded);
}

void CheckParse(std::string_view text) {
  Document document;
  const Result<View> root = document.Parse(text);
  const Fault fault = FindFault(text, ParseLimits{}.depth_max);
  const std::optional<std::string_view> id = ScanTopLevel(text, "id");
  if (id) CHECK(IsValidUtf8(*id) && FindFault(*id, 1).kind != Fault::Kind::kSyntax);
  if (!root) {
    CHECK((root.error().reason == "json_syntax") == (fault.kind == Fault::Kind::kSyntax));
    return;
  }
  CHECK(fault.kind == Fault::Kind::kNone);
  const std::optional<View> member = root->Find("id");
  CHECK(id.has_value() == (member && !member->IsObject() && !member->IsArray()));
  const std::string json = root->ToJson();
  Document again;
  const Result<View> reread = again.Parse(json);
  CHECK(reread.has_value() && reread->ToJson() == json);
  CheckArguments(*root);
}

}  // namespace
}  // namespace ducat::json

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ducat::json::CheckParse(text);
  ducat::json::CheckText(text);
  return 0;
}
