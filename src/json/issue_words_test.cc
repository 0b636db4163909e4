// The words of rejected arguments (protocol.md 14.4), their limits, and the finished error.
#include <array>
#include <deque>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "json/decode.h"

namespace ducat::json {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Oracle = nlohmann::json;

enum class Region : uint8_t { kUs, kEu, kApac };

}  // namespace

template <>
struct EnumNames<Region> {
  static constexpr std::array<std::string_view, 3> kNames{"us", "eu", "apac"};
};

namespace {

struct Filter {
  std::string column;
  std::optional<std::string> date;
  static constexpr auto Fields() {
    return std::array{Describe<&Filter::column>("column", "Column."),
                      Describe<&Filter::date>("date", "Day.", {.format = Format::kDate})};
  }
};

constexpr std::array<std::string_view, 1> kAliases{"maxResults"};

struct Input {
  std::string base;
  std::string quote;
  int limit = 0;
  std::optional<Region> region;
  std::optional<std::string> id;
  std::optional<std::string> since;
  std::optional<std::string> at;
  std::optional<std::string> link;
  std::vector<int8_t> numbers;
  std::vector<Filter> filters;
  std::optional<double> share;
  static constexpr auto Fields() {
    return std::array{
        Describe<&Input::base>("base", "Base.", {.min_length = 2, .max_length = 3}),
        Describe<&Input::quote>("quote", "Quote."),
        Describe<&Input::limit>(
            "limit", "Rows.",
            {.minimum = 1, .maximum = 50, .default_json = "20", .aliases = kAliases}),
        Describe<&Input::region>("region", "Region."),
        Describe<&Input::id>("id", "Ten letters or digits, as an earlier answer returned them.",
                             {.pattern = "^[A-Za-z0-9]{10}$"}),
        Describe<&Input::since>("since", "Day.", {.format = Format::kDate}),
        Describe<&Input::at>("at", "Time.", {.format = Format::kDateTime}),
        Describe<&Input::link>("link", "Link.", {.format = Format::kUri}),
        Describe<&Input::numbers>("numbers", "Numbers.",
                                  {.min_items = 1, .max_items = 100, .default_json = "[1]"}),
        Describe<&Input::filters>("filters", "Filters.", {.default_json = "[]"}),
        Describe<&Input::share>("share", "Share.", {.minimum = 0, .maximum = 0.5})};
  }
};

DecodeReport Report(const std::string& text) {
  Document document;
  const Result<View> root = document.Parse(text);
  EXPECT_TRUE(root.has_value()) << text;
  Input in;
  return DecodeArguments(kShape<Input>, root.value_or(View()), &in);
}

// Members beside the two required ones.
DecodeReport With(const std::string& members) {
  return Report(R"({"base":"EUR","quote":"USD",)" + members + "}");
}

struct Case {
  std::string members, code, path, message, hint;
};

const Case kCases[] = {
    {R"("limit":true)", "invalid_type", "limit",
     "Invalid input: expected integer, received boolean",
     "Send limit as an integer, not a boolean."},
    {R"("limit":{"a":1})", "invalid_type", "limit",
     "Invalid input: expected integer, received object",
     "Send limit as an integer, not an object."},
    {R"("limit":1.5)", "invalid_type", "limit", "Invalid input: expected integer, received number",
     "Send limit as an integer, not 1.5."},
    {R"("numbers":[1,"x"])", "invalid_type", "numbers[1]",
     "Invalid input: expected integer, received string",
     "Send numbers[1] as an integer, not a string."},
    {R"("numbers":[1,null])", "invalid_type", "numbers[1]",
     "Invalid input: expected integer, received null", "Send numbers[1] as an integer, not null."},
    {R"("limt":1)", "unrecognized_keys", "", "Unrecognized key: \"limt\"",
     "Unknown key limt. Did you mean limit? This tool accepts: base, quote, limit, region, id, "
     "since, at, link, numbers, "
     "filters, share."},
    {R"("zzz":1,"regoin":2)", "unrecognized_keys", "", "Unrecognized keys: \"zzz\", \"regoin\"",
     "Unknown keys zzz, regoin. Did you mean region? This tool accepts: base, quote, limit, "
     "region, id, since, at, link, "
     "numbers, filters, share."},
    {R"("filters":[{"column":"c","dat":"x"}])", "unrecognized_keys", "filters[0]",
     "Unrecognized key: \"dat\"",
     "Unknown key dat. Did you mean date? filters[0] accepts: column, date."},
    {R"("limit":0)", "too_small", "limit", "Too small: expected number to be >=1", ""},
    {R"("limit":51)", "too_big", "limit", "Too big: expected number to be <=50", ""},
    {R"("share":-0.1)", "too_small", "share", "Too small: expected number to be >=0", ""},
    {R"("share":0.51)", "too_big", "share", "Too big: expected number to be <=0.5", ""},
    {R"("numbers":[128])", "too_big", "numbers[0]", "Too big: expected number to be <=127", ""},
    {R"("numbers":[-129])", "too_small", "numbers[0]", "Too small: expected number to be >=-128",
     ""},
    {R"("numbers":[])", "too_small", "numbers", "Too small: expected array to have >=1 items", ""},
    {R"("region":"ap")", "invalid_value", "region",
     "Invalid option: expected one of \"us\"|\"eu\"|\"apac\"",
     "Expected one of \"us\"|\"eu\"|\"apac\". Did you mean \"apac\"?"},
    {R"("region":"mars")", "invalid_value", "region",
     "Invalid option: expected one of \"us\"|\"eu\"|\"apac\"", ""},
    {R"("region":true)", "invalid_value", "region",
     "Invalid option: expected one of \"us\"|\"eu\"|\"apac\"", ""},
    {R"("since":"2024-13-01")", "invalid_format", "since",
     "expected YYYY-MM-DD, received \"2024-13-01\"",
     "Send since as YYYY-MM-DD, for example 2024-01-31."},
    {R"("filters":[{"column":"c"},{"column":"c","date":"x"}])", "invalid_format", "filters[1].date",
     "expected YYYY-MM-DD, received \"x\"",
     "Send filters[1].date as YYYY-MM-DD, for example 2024-01-31."},
    {R"("at":"2024-01-31")", "invalid_format", "at",
     "expected YYYY-MM-DDThh:mm:ssZ, received \"2024-01-31\"",
     "Send at as YYYY-MM-DDThh:mm:ssZ, for example 2024-01-31T09:30:00Z or "
     "2024-01-31T09:30:00+02:00."},
    {R"("link":"no link")", "invalid_format", "link", "expected a URI, received \"no link\"",
     "Send link as a URI, for example https://example.org/page."},
    {R"("id":"short")", "invalid_format", "id",
     "Invalid string: must match pattern /^[A-Za-z0-9]{10}$/",
     "id: Ten letters or digits, as an earlier answer returned them."},
    {R"("limit":5,"maxResults":6)", "invalid_value", "",
     "maxResults is an alias of limit; send one of them, not both.", ""},
    {R"("id":"\u0000")", "invalid_value", "id", "Invalid string: U+0000 is not allowed",
     "Remove the NUL character from id."},
};

TEST(DecodeIssues, UseTheWordsOfTheTable) {
  for (const Case& one : kCases) {
    const DecodeReport report = With(one.members);
    ASSERT_EQ(report.issues.size(), 1U) << one.members;
    const Issue& issue = report.issues.front();
    EXPECT_EQ(issue.code, one.code) << one.members;
    EXPECT_EQ(issue.path, one.path) << one.members;
    EXPECT_EQ(issue.message, one.message) << one.members;
    EXPECT_EQ(issue.hint, one.hint) << one.members;
    const Error error = ArgumentsError("fx", report);
    const std::string text = one.path.empty() ? one.message : one.path + ": " + one.message;
    EXPECT_EQ(error.message, "Input validation error: Invalid arguments for tool fx: " + text);
    EXPECT_EQ(error.hint, one.hint);
  }
}

TEST(DecodeIssues, JudgeLengthsByCharacters) {
  const auto base = [](const std::string& text) {
    return Report("{\"quote\":\"USD\",\"base\":\"" + text + "\"}");
  };
  EXPECT_THAT(base("ab").issues, IsEmpty());
  EXPECT_THAT(base("\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC").issues, IsEmpty());
  EXPECT_EQ(base("a").issues.at(0).message, "Too small: expected string to have >=2 characters");
  EXPECT_EQ(base("\xE2\x82\xAC").issues.at(0).code, "too_small");
  EXPECT_EQ(base("abcd").issues.at(0).message, "Too big: expected string to have <=3 characters");
  EXPECT_EQ(base("abcd").issues.at(0).code, "too_big");
}

TEST(DecodeIssues, NameAllThatIsMissingInOneHint) {
  const DecodeReport both = Report("{}");
  EXPECT_EQ(ArgumentsError("fx", both).message,
            "Input validation error: Invalid arguments for tool fx: base: Invalid input: expected "
            "string, received undefined, "
            "quote: Invalid input: expected string, received undefined");
  EXPECT_EQ(ArgumentsError("fx", both).hint, "Provide base and quote.");
  EXPECT_EQ(ArgumentsError("fx", Report(R"({"base":"EUR"})")).hint, "Provide quote.");
  EXPECT_EQ(ArgumentsError("fx", Report(R"({"base":"EUR","filters":[{}]})")).hint,
            "Provide quote and filters[0].column.");
  EXPECT_EQ(ArgumentsError("fx", Report(R"({"filters":[{}]})")).hint,
            "Provide base, quote and filters[0].column.");
}

TEST(DecodeIssues, ComeAllAtOnceInDeclarationOrder) {
  const Error error =
      ArgumentsError("fx", Report(R"({"nope":1,"share":"x","limit":99,"quote":5.5})"));
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.reason, "invalid_arguments");
  EXPECT_FALSE(error.retryable);
  EXPECT_EQ(error.message,
            "Input validation error: Invalid arguments for tool fx: base: Invalid input: expected "
            "string, received undefined, "
            "quote: Invalid input: expected string, received number, limit: Too big: expected "
            "number to be <=50, "
            "share: Invalid input: expected number, received string, Unrecognized key: \"nope\"");
  EXPECT_THAT(
      error.hint,
      HasSubstr(
          "Provide base. Send quote as a string, not 5.5. Send share as a number, not a string. "
          "Unknown key nope. This tool accepts: base,"));
  const Oracle data = Oracle::parse("{" + error.data + "}");
  EXPECT_EQ(data["issues"].size(), 5U);
  EXPECT_EQ(
      data["issues"][2],
      Oracle::parse(
          R"({"code":"too_big","path":"limit","message":"Too big: expected number to be <=50"})"));
  EXPECT_FALSE(data.contains("issuesCount"));
  EXPECT_FALSE(data.contains("input"));
}

TEST(DecodeIssues, TellWhatWasRepairedBeforehand) {
  const Error error = ArgumentsError("fx", Report(R"({"_x":1,"Base":"EUR","quote":7,"limit":99})"));
  const Oracle data = Oracle::parse("{" + error.data + "}");
  EXPECT_EQ(data["input"],
            Oracle::parse(R"({"aliased":["Base"],"ignored":["_x"],"coerced":["quote"]})"));
}

std::string Numbers(size_t good, size_t bad) {
  std::string text = "\"numbers\":[1";
  for (size_t i = 1; i < good; ++i)
    text += ",1";
  for (size_t i = 0; i < bad; ++i)
    text += ",true";
  return text + "]";
}

TEST(DecodeIssues, AreCutAtTenInTheTextAndThirtyInTheData) {
  for (const size_t bad : {1U, 10U, 11U, 30U, 31U, 60U}) {
    const DecodeReport report = With(Numbers(1, bad));
    const Error error = ArgumentsError("fx", report);
    const Oracle data = Oracle::parse("{" + error.data + "}");
    EXPECT_EQ(report.issues_count, bad);
    EXPECT_EQ(data["issues"].size(), std::min<size_t>(bad, 30));
    EXPECT_EQ(data.contains("issuesCount"), bad > 10) << bad;
    if (bad > 10) {
      EXPECT_EQ(data["issuesCount"], bad);
      EXPECT_TRUE(error.message.ends_with(" (+" + std::to_string(bad - 10) + " more)"))
          << error.message;
    } else {
      EXPECT_EQ(error.message.find("more)"), std::string::npos);
    }
    EXPECT_NE(error.message.find("numbers[" + std::to_string(std::min<size_t>(bad, 10)) + "]"),
              std::string::npos);
    EXPECT_EQ(error.message.find("numbers[11]"), std::string::npos);
  }
  // One past the item limit; the elements within it are judged all the same.
  const DecodeReport full = With(Numbers(100, 0));
  EXPECT_THAT(full.issues, IsEmpty());
  const DecodeReport over = With(Numbers(1, 100));
  EXPECT_EQ(over.issues.front().message, "Too big: expected array to have <=100 items");
  EXPECT_EQ(over.issues_count, 100U);
}

TEST(DecodeIssues, CutLongStringsWithoutBreakingCharacters) {
  std::string keys;
  for (int i = 0; i < 300; ++i)
    keys += "\"k" + std::to_string(i) + std::string(90, 'x') + "\xE2\x82\xAC\":1,";
  const DecodeReport report = Report("{" + keys + R"("base":"EUR","quote":"USD"})");
  ASSERT_EQ(report.issues.size(), 1U);
  EXPECT_EQ(report.issues_count, 1U);
  EXPECT_LE(report.issues[0].message.size(), kIssueBytesMax);
  EXPECT_LE(report.issues[0].hint.size(), kIssueBytesMax);
  EXPECT_TRUE(IsValidUtf8(report.issues[0].message));
  EXPECT_THAT(report.issues[0].message, HasSubstr("Unrecognized keys: \"k0xxx"));
  const DecodeReport value = With("\"since\":\"" + std::string(5'000, 'd') + "\"");
  EXPECT_LT(value.issues[0].message.size(), 200U);
}

// S-16: hostile arguments cost linear time: 100,000 unknown keys, each as long as its message
// allows.
TEST(DecodeIssues, StayCheapForManyUnknownKeys) {
  std::string keys;
  for (int i = 0; i < 100'000; ++i)
    keys += "\"limi" + std::to_string(i) + "\":0,";
  const DecodeReport report = Report("{" + keys + R"("base":"EUR","quote":"USD"})");
  ASSERT_EQ(report.issues.size(), 1U);
  EXPECT_THAT(report.issues[0].message, HasSubstr("(+99,990 more)"));
}

// Tables built at run time (saved queries): one accessor, the slot says which element.
struct Values {
  std::deque<std::optional<std::string>> texts;
  std::deque<std::optional<int64_t>> integers;
};

TEST(RuntimeShape, DecodesAndNamesFieldsByTheirSlots) {
  const auto text_at = [](void* object, uint32_t slot) -> void* {
    return &static_cast<Values*>(object)->texts[slot];
  };
  const auto integer_at = [](void* object, uint32_t slot) -> void* {
    return &static_cast<Values*>(object)->integers[slot];
  };
  std::vector<Field> fields;
  for (uint32_t slot = 0; slot < 3; ++slot) {
    fields.push_back({.name = slot == 0   ? "a"
                              : slot == 1 ? "b"
                                          : "c",
                      .doc = "Text.",
                      .shape = &kShape<std::optional<std::string>>,
                      .at = text_at,
                      .slot = slot});
  }
  fields.push_back({.name = "n",
                    .doc = "Number.",
                    .shape = &kShape<std::optional<int64_t>>,
                    .at = integer_at,
                    .slot = 1,
                    .rule = {.maximum = 5, .default_json = "4"}});
  const Shape shape{.kind = Kind::kObject, .fields = fields};
  Values values{.texts = std::deque<std::optional<std::string>>(3),
                .integers = std::deque<std::optional<int64_t>>(2)};
  Document document;
  DecodeReport report =
      DecodeArguments(shape, *document.Parse(R"({"b":"two","C":"three"})"), &values);
  EXPECT_THAT(report.issues, IsEmpty());
  EXPECT_EQ(values.texts[0], std::nullopt);
  EXPECT_EQ(values.texts[1], "two");
  EXPECT_EQ(values.texts[2], "three");
  EXPECT_EQ(values.integers[0], std::nullopt);
  EXPECT_EQ(values.integers[1], 4);
  report = DecodeArguments(shape, *document.Parse(R"({"n":6})"), &values);
  ASSERT_EQ(report.issues.size(), 1U);
  EXPECT_EQ(report.issues[0].path, "n");
}

struct Positional {
  std::map<std::string, AnyValue> params;
  static constexpr auto Fields() {
    return std::array{Describe<&Positional::params>("params", "By name.", {.default_json = "{}"})};
  }
};

struct Whole {
  int64_t n = 0;
  static constexpr auto Fields() { return std::array{Describe<&Whole::n>("n", "Number.")}; }
};

TEST(ArgumentsError, NamesAnIntegerThatIsTooLong) {
  Document document;
  Whole whole;
  const DecodeReport report =
      DecodeArguments(kShape<Whole>, *document.Parse(R"({"n":"99999999999999999999"})"), &whole);
  ASSERT_EQ(report.issues.size(), 1U);
  EXPECT_EQ(report.issues[0].message,
            "Invalid input: 99999999999999999999 does not fit into 64 bits");
  EXPECT_EQ(report.issues[0].hint,
            "Send n as an integer from -9223372036854775808 to 9223372036854775807.");
  EXPECT_EQ(DecodeArguments(kShape<Whole>, *document.Parse(R"({"n":"9x"})"), &whole).issues[0].hint,
            "Send n as an integer, not a string.");
}

// A list where values have names: the object that was meant.
TEST(ArgumentsError, ShowsAListAsTheObjectThatWasMeant) {
  const auto hint = [](const std::string& text) {
    Document document;
    Positional in;
    const DecodeReport report = DecodeArguments(kShape<Positional>, *document.Parse(text), &in);
    return report.issues.empty() ? "" : report.issues[0].hint;
  };
  EXPECT_EQ(hint(R"({"params":[8,"x"]})"),
            R"(Send params as an object, not an array: {"1":8,"2":"x"}.)");
  EXPECT_EQ(hint(R"({"params":[")" + std::string(200, 'x') + "\"]}"),
            R"(Send params as an object, not an array: {"1": ..., "2": ...}.)");
  EXPECT_EQ(hint(R"({"params":8})"), "Send params as an object, not 8.");
}

}  // namespace
}  // namespace ducat::json
