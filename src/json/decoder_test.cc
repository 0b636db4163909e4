// Repairs of arguments (protocol.md 14.3): each one, and that it is kept only when the value then
// passes.
#include <array>

#include <gmock/gmock.h>

#include "json/decode.h"

namespace ducat::json {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum class Region : uint8_t { kUs, kEu };

}  // namespace

template <>
struct EnumNames<Region> {
  static constexpr std::array<std::string_view, 2> kNames{"us", "eu"};
};

namespace {

struct Filter {
  std::string column;
  std::optional<std::string> date;
  static constexpr auto Fields() {
    return std::array{
        Describe<&Filter::column>("column", "Column."),
        Describe<&Filter::date>("date", "Day.", {.format = Format::kDate, .trim = true})};
  }
};

constexpr std::array<std::string_view, 2> kLimitAliases{"max_rows", "top"};

struct Input {
  std::string base_currency = "unset";
  int limit = 7;
  std::optional<int64_t> big;
  std::optional<uint64_t> huge;
  std::optional<double> share;
  std::optional<bool> exact;
  std::optional<std::string> note;
  std::optional<std::string> free;
  std::optional<Region> region;
  std::vector<std::string> symbols;
  std::optional<std::vector<int>> numbers;
  std::vector<Filter> filters;
  std::map<std::string, AnyValue> params;
  std::optional<Filter> filter;
  static constexpr auto Fields() {
    return std::array{
        Describe<&Input::base_currency>("base_currency", "Base.",
                                        {.default_json = "\"EUR\"", .trim = true}),
        Describe<&Input::limit>(
            "limit", "Rows.",
            {.minimum = 1, .maximum = 50, .default_json = "20", .aliases = kLimitAliases}),
        Describe<&Input::big>("big", "Big."),
        Describe<&Input::huge>("huge", "Huge."),
        Describe<&Input::share>("share", "Share."),
        Describe<&Input::exact>("exact", "Exact."),
        Describe<&Input::note>("note", "Note.", {.max_length = 10}),
        Describe<&Input::free>("free", "Free text.", {.free_text = true}),
        Describe<&Input::region>("region", "Region.", {.trim = true}),
        Describe<&Input::symbols>("symbols", "Symbols.",
                                  {.max_items = 3, .default_json = "[\"USD\"]"}),
        Describe<&Input::numbers>("numbers", "Numbers.", {.maximum = 9}),
        Describe<&Input::filters>("filters", "Filters.", {.default_json = "[]"}),
        Describe<&Input::params>("params", "Values.", {.default_json = "{}"}),
        Describe<&Input::filter>("filter", "One filter.")};
  }
};

class DecoderTest : public ::testing::Test {
 protected:
  Input Good(std::string_view text) {
    Input in;
    Decode(text, in);
    EXPECT_THAT(report_.issues, IsEmpty()) << text << ": " << ArgumentsError("t", report_).message;
    return in;
  }
  // The first issue, "code path: message".
  std::string Bad(std::string_view text) {
    Input in;
    Decode(text, in);
    if (report_.issues.empty()) return "accepted";
    const Issue& first = report_.issues.front();
    return first.code + " " + first.path + ": " + first.message;
  }
  void Decode(std::string_view text, Input& in) {
    const Result<View> root = document_.Parse(text);
    ASSERT_TRUE(root.has_value()) << text;
    report_ = DecodeArguments(kShape<Input>, *root, &in);
  }
  Document document_;
  DecodeReport report_;
};

TEST_F(DecoderTest, FillsEveryKind) {
  const Input in = Good(
      R"({"base_currency":"GBP","limit":50,"big":-5,"huge":5,"share":1.5,"exact":true,"note":"n",)"
      R"("free":"f","region":"eu",)"
      R"("symbols":["A","B"],"numbers":[1,2],"filters":[{"column":"c","date":"2024-01-31"}],)"
      R"("params":{"x":[1,{"y":null}]},)"
      R"("filter":{"column":"d"}})");
  EXPECT_EQ(in.base_currency, "GBP");
  EXPECT_EQ(in.limit, 50);
  EXPECT_EQ(in.big, -5);
  EXPECT_EQ(in.huge, 5U);
  EXPECT_EQ(in.share, 1.5);
  EXPECT_EQ(in.exact, true);
  EXPECT_EQ(in.region, Region::kEu);
  EXPECT_THAT(in.symbols, ElementsAre("A", "B"));
  EXPECT_THAT(*in.numbers, ElementsAre(1, 2));
  EXPECT_EQ(in.filters.at(0).date, "2024-01-31");
  EXPECT_EQ(in.params.at("x").json, R"([1,{"y":null}])");
  EXPECT_EQ(in.filter->column, "d");
  EXPECT_THAT(report_.repairs.coerced, IsEmpty());
}

// 1. absent, null, text of an object
TEST_F(DecoderTest, TakesNullAndTextForTheArguments) {
  EXPECT_EQ(Good("null").limit, 20);
  EXPECT_EQ(Good("{}").base_currency, "EUR");
  EXPECT_EQ(Good(R"("{\"limit\":5}")").limit, 5);
  EXPECT_EQ(Good(R"(" {\"limit\":5}\n")").limit, 5);
  EXPECT_EQ(Bad("[]"), "invalid_type : Invalid input: expected object, received array");
  EXPECT_EQ(Bad("\"x\""), "invalid_type : Invalid input: expected object, received string");
  EXPECT_EQ(Bad("\"[1]\""), "invalid_type : Invalid input: expected object, received string");
  EXPECT_EQ(Bad(R"("{\"limit\":5,\"limit\":6}")"),
            "invalid_type : Invalid input: expected object, received string");
  EXPECT_EQ(Bad("5"), "invalid_type : Invalid input: expected object, received number");
}

TEST_F(DecoderTest, DefaultsReplaceWhatTheStructHeld) {
  const Input in = Good("{}");
  EXPECT_EQ(in.base_currency, "EUR");
  EXPECT_EQ(in.limit, 20);
  EXPECT_THAT(in.symbols, ElementsAre("USD"));
  EXPECT_EQ(in.note, std::nullopt);
}

// 2. keys that clients add
TEST_F(DecoderTest, DropsTheKeysThatClientsAdd) {
  EXPECT_EQ(Good(R"({"_meta":{},"toolCallId":1,"tool_call_id":2,"tool_call_description":"x",)"
                 R"("_x":3,"limit":5})")
                .limit,
            5);
  EXPECT_THAT(report_.repairs.ignored,
              ElementsAre("_meta", "toolCallId", "tool_call_id", "tool_call_description", "_x"));
  EXPECT_EQ(Bad(R"({"tool_call":1})"), "unrecognized_keys : Unrecognized key: \"tool_call\"");
  // Only around the arguments, not inside them.
  EXPECT_EQ(Bad(R"({"filter":{"column":"c","_x":1}})"),
            "unrecognized_keys filter: Unrecognized key: \"_x\"");
}

// 3. other spellings, aliases
TEST_F(DecoderTest, FoldsKeysAndTakesAliases) {
  for (const std::string_view key :
       {"baseCurrency", "base-currency", "BASE_CURRENCY", "Base Currency", "basecurrency"}) {
    EXPECT_EQ(Good("{\"" + std::string(key) + "\":\"GBP\"}").base_currency, "GBP") << key;
    EXPECT_THAT(report_.repairs.aliased, ElementsAre(key));
  }
  EXPECT_EQ(Good(R"({"maxRows":5})").limit, 5);
  EXPECT_EQ(Good(R"({"top":5})").limit, 5);
  EXPECT_EQ(Good(R"({"filters":[{"Column":"c"}]})").filters.at(0).column, "c");
  EXPECT_THAT(report_.repairs.aliased, ElementsAre("filters[0].Column"));
}

TEST_F(DecoderTest, RefusesANameNextToItsAlias) {
  EXPECT_EQ(Bad(R"({"limit":5,"maxRows":6})"),
            "invalid_value : maxRows is an alias of limit; send one of them, not both.");
  EXPECT_EQ(Bad(R"({"maxRows":5,"limit":6})"),
            "invalid_value : maxRows is an alias of limit; send one of them, not both.");
  EXPECT_EQ(Bad(R"({"top":5,"max_rows":6})"),
            "invalid_value : top and max_rows are aliases of limit; send one of them, not both.");
  EXPECT_EQ(
      Bad(R"({"baseCurrency":"A","base_currency":"B"})"),
      "invalid_value : baseCurrency is an alias of base_currency; send one of them, not both.");
}

// 4. the many forms of nothing
TEST_F(DecoderTest, TakesFormsOfNothingForAbsence) {
  for (const std::string_view nothing :
       {"null", "\"\"", "\"null\"", "[\"null\"]", "\"undefined\""}) {
    const std::string value(nothing);
    const Input in =
        Good("{\"base_currency\":" + value + ",\"limit\":" + value + ",\"share\":" + value +
             ",\"region\":" + value + ",\"numbers\":" + value + ",\"symbols\":" + value +
             ",\"filter\":" + value + ",\"note\":" + value + "}");
    EXPECT_EQ(in.base_currency, "EUR");
    EXPECT_EQ(in.limit, 20);
    EXPECT_EQ(in.share, std::nullopt);
    EXPECT_EQ(in.region, std::nullopt);
    EXPECT_EQ(in.numbers, std::nullopt);
    EXPECT_THAT(in.symbols, ElementsAre("USD"));
    EXPECT_FALSE(in.filter.has_value());
    EXPECT_EQ(in.note, std::nullopt);
  }
  EXPECT_EQ(Good(R"({"base_currency":"  "})").base_currency,
            "EUR");  // trimmed fields: blanks are empty
  EXPECT_EQ(Good(R"({"note":"  "})").note, "  ");
}

TEST_F(DecoderTest, KeepsFreeTextAndRequiredText) {
  EXPECT_EQ(Good(R"({"free":""})").free, "");
  EXPECT_EQ(Good(R"({"free":"null"})").free, "null");
  EXPECT_EQ(Good(R"({"free":null})").free, std::nullopt);
  EXPECT_EQ(Good(R"({"filter":{"column":"null"}})").filter->column, "null");
  EXPECT_EQ(Good(R"({"filter":{"column":""}})").filter->column, "");
  EXPECT_EQ(Bad(R"({"filter":{"column":null}})"),
            "invalid_type filter.column: Invalid input: expected string, received undefined");
  EXPECT_EQ(Good(R"({"params":{"a":"","b":"null","c":null}})").params.at("b").json, "\"null\"");
}

// 5. types
TEST_F(DecoderTest, ReadsNumbersFromText) {
  EXPECT_EQ(Good(R"({"limit":"15"})").limit, 15);
  EXPECT_THAT(report_.repairs.coerced, ElementsAre("limit"));
  EXPECT_EQ(Good(R"({"share":"1.5"})").share, 1.5);
  EXPECT_EQ(Good(R"({"share":"-2e3"})").share, -2000);
  EXPECT_EQ(Good(R"({"limit":5.0})").limit, 5);
  EXPECT_EQ(Good(R"({"big":1e3})").big, 1000);
  for (const std::string_view text :
       {"1.5", "5.0", "1e3", "+5", " 5", "5 ", "05", "0x5", "five", "5,0", "-", "--5", "NaN"}) {
    EXPECT_EQ(Bad("{\"big\":\"" + std::string(text) + "\"}"),
              "invalid_type big: Invalid input: expected integer, received string")
        << text;
  }
  for (const std::string_view text :
       {"NaN", "Infinity", "inf", "1e400", "1.", ".5", "0x1p3", "1_0", "1 "}) {
    EXPECT_EQ(Bad("{\"share\":\"" + std::string(text) + "\"}"),
              "invalid_type share: Invalid input: expected number, received string")
        << text;
  }
  EXPECT_EQ(Bad(R"({"limit":1.5})"),
            "invalid_type limit: Invalid input: expected integer, received number");
  EXPECT_EQ(Bad(R"({"limit":"51"})"),
            "invalid_type limit: Invalid input: expected integer, received string");  // not kept
  EXPECT_EQ(Bad(R"({"limit":51})"), "too_big limit: Too big: expected number to be <=50");
}

// F-10: exact when sent as a number or as text
TEST_F(DecoderTest, ReadsLargeIntegersExactly) {
  for (const int64_t value :
       {int64_t{9007199254740993}, INT64_MIN, INT64_MAX, int64_t{-9007199254740993}}) {
    const std::string digits = std::to_string(value);
    EXPECT_EQ(Good("{\"big\":" + digits + "}").big, value);
    EXPECT_EQ(Good("{\"big\":\"" + digits + "\"}").big, value);
  }
  EXPECT_EQ(Good(R"({"huge":18446744073709551615})").huge, UINT64_MAX);
  EXPECT_EQ(Good(R"({"huge":"18446744073709551615"})").huge, UINT64_MAX);
  EXPECT_EQ(Good(R"({"huge":"9223372036854775808"})").huge, uint64_t{1} << 63);
  EXPECT_EQ(Good(R"({"params":{"x":9007199254740993}})").params.at("x").json, "9007199254740993");
  EXPECT_EQ(Good(R"({"note":9007199254})").note, "9007199254");
  EXPECT_EQ(Good(R"({"free":18446744073709551615})").free, "18446744073709551615");
  EXPECT_EQ(Bad(R"({"big":9223372036854775808})"),
            "too_big big: Too big: expected number to be <=9223372036854775807");
  EXPECT_EQ(Bad(R"({"big":"9223372036854775808"})"),
            "invalid_type big: Invalid input: expected integer, received string");
  EXPECT_EQ(Bad(R"({"huge":-1})"), "too_small huge: Too small: expected number to be >=0");
  EXPECT_EQ(Bad(R"({"huge":"18446744073709551616"})"),
            "too_big huge: Invalid input: 18446744073709551616 does not fit into 64 bits");
  EXPECT_EQ(Bad(R"({"big":9007199254740994.0})"),
            "invalid_type big: Invalid input: expected integer, received number");
}

TEST_F(DecoderTest, ReadsOtherScalarsFromText) {
  EXPECT_EQ(Good(R"({"exact":"true"})").exact, true);
  EXPECT_EQ(Good(R"({"exact":"false"})").exact, false);
  EXPECT_EQ(Bad(R"({"exact":"yes"})"),
            "invalid_type exact: Invalid input: expected boolean, received string");
  EXPECT_EQ(Bad(R"({"exact":1})"),
            "invalid_type exact: Invalid input: expected boolean, received number");
  EXPECT_EQ(Good(R"({"note":15})").note, "15");
  EXPECT_EQ(Bad(R"({"note":1.5})"),
            "invalid_type note: Invalid input: expected string, received number");
  EXPECT_EQ(Bad(R"({"note":true})"),
            "invalid_type note: Invalid input: expected string, received boolean");
  EXPECT_EQ(Bad(R"({"note":12345678901})"),
            "invalid_type note: Invalid input: expected string, received number");  // too long
}

TEST_F(DecoderTest, ReadsContainersFromText) {
  EXPECT_THAT(Good(R"({"symbols":"[\"A\",\"B\"]"})").symbols, ElementsAre("A", "B"));
  EXPECT_THAT(report_.repairs.coerced, ElementsAre("symbols"));
  EXPECT_THAT(*Good(R"({"numbers":" [1,\"2\"] "})").numbers, ElementsAre(1, 2));
  EXPECT_EQ(Good(R"({"filter":"{\"column\":\"c\"}"})").filter->column, "c");
  EXPECT_EQ(Good(R"({"filters":["{\"column\":\"c\"}"]})").filters.at(0).column, "c");
  EXPECT_EQ(Good(R"({"filters":"[\"{\\\"column\\\":\\\"c\\\"}\"]"})").filters.at(0).column, "c");
  EXPECT_EQ(Good(R"({"params":"{\"x\":1}"})").params.at("x").json, "1");
  EXPECT_EQ(Bad(R"({"filter":"{\"column\":1.5}"})"),
            "invalid_type filter: Invalid input: expected object, received string");
  EXPECT_EQ(Bad(R"({"filter":"[]"})"),
            "invalid_type filter: Invalid input: expected object, received string");
  EXPECT_EQ(Bad(R"({"params":"[1]"})"),
            "invalid_type params: Invalid input: expected object, received string");
  EXPECT_EQ(Bad(R"({"numbers":"[1,99]"})"),
            "invalid_type numbers: Invalid input: expected array, received string");
}

TEST_F(DecoderTest, WrapsALoneScalar) {
  EXPECT_THAT(Good(R"({"symbols":"A"})").symbols, ElementsAre("A"));
  EXPECT_THAT(*Good(R"({"numbers":5})").numbers, ElementsAre(5));
  EXPECT_THAT(*Good(R"({"numbers":"5"})").numbers, ElementsAre(5));
  EXPECT_THAT(Good(R"({"symbols":15})").symbols, ElementsAre("15"));
  EXPECT_THAT(Good(R"({"symbols":"[broken"})").symbols, ElementsAre("[broken"));
  EXPECT_EQ(Bad(R"({"symbols":"A,B"})"),
            "invalid_type symbols: Invalid input: expected array, received string");
  EXPECT_EQ(Bad(R"({"symbols":"A\nB"})"),
            "invalid_type symbols: Invalid input: expected array, received string");
  EXPECT_EQ(Bad(R"({"numbers":10})"),
            "invalid_type numbers: Invalid input: expected array, received number");
  EXPECT_EQ(Bad(R"({"filters":{"column":"c"}})"),
            "invalid_type filters: Invalid input: expected array, received object");
}

// 6. blanks, NUL
TEST_F(DecoderTest, TrimsOnlyWhereTheFieldSaysSo) {
  EXPECT_EQ(Good(R"({"base_currency":" GBP\n"})").base_currency, "GBP");
  EXPECT_EQ(Good(R"({"region":" eu "})").region, Region::kEu);
  EXPECT_EQ(Good(R"({"filter":{"column":"c","date":" 2024-01-31 "}})").filter->date, "2024-01-31");
  EXPECT_EQ(Good(R"({"note":" n "})").note, " n ");
  EXPECT_EQ(Bad(R"({"region":"EU"})"),
            "invalid_value region: Invalid option: expected one of \"us\"|\"eu\"");
}

TEST_F(DecoderTest, RefusesNulWhereverAStringIsUsed) {
  EXPECT_EQ(Bad(R"({"note":"a\u0000"})"),
            "invalid_value note: Invalid string: U+0000 is not allowed");
  EXPECT_EQ(Bad(R"({"symbols":["A","\u0000"]})"),
            "invalid_value symbols[1]: Invalid string: U+0000 is not allowed");
  EXPECT_EQ(Bad(R"({"params":{"x":["\u0000"]}})"),
            "invalid_value params.x: Invalid string: U+0000 is not allowed");
  EXPECT_THAT(Bad(R"({"params":{"x\u0000":1}})"), ::testing::HasSubstr("U+0000"));
  EXPECT_EQ(Good(R"({"params":{"x":"\\u0000"}})").params.at("x").json, R"("\\u0000")");
  EXPECT_EQ(Bad(R"({"params":{"x":"\\\u0000"}})"),
            "invalid_value params.x: Invalid string: U+0000 is not allowed");
}

}  // namespace
}  // namespace ducat::json
