#include "json/schema.h"

#include <array>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ducat::json {
namespace {

using Oracle = nlohmann::ordered_json;

enum class Color : uint8_t { kRed, kDarkBlue };

}  // namespace

template <>
struct EnumNames<Color> {
  static constexpr std::array<std::string_view, 2> kNames{"red", "dark_blue"};
};

namespace {

struct Filter {
  std::string column;
  std::optional<int64_t> least;
  static constexpr auto Fields() {
    return std::array{Describe<&Filter::column>("column", "Column name."),
                      Describe<&Filter::least>("least", "Smallest value.")};
  }
};

constexpr std::array<std::string_view, 1> kLimitAliases{"max_rows"};

struct Input {
  std::string table;
  int limit = 50;
  std::optional<double> share;
  std::optional<std::string> day;
  Color color = Color::kRed;
  std::vector<std::string> columns;
  std::vector<Filter> filters;
  std::map<std::string, AnyValue> params;
  std::optional<bool> exact;
  uint32_t seed = 0;
  static constexpr auto Fields() {
    return std::array{
        Describe<&Input::table>(
            "table", "Table.",
            {.min_length = 1, .max_length = 63, .pattern = "^[a-z]+$", .header = "Table"}),
        Describe<&Input::limit>(
            "limit", "Rows.",
            {.minimum = 1, .maximum = 1e300, .default_json = "50", .aliases = kLimitAliases}),
        Describe<&Input::share>("share", "Share.", {.minimum = 0, .maximum = 0.5}),
        Describe<&Input::day>("day", "Day.", {.format = Format::kDate}),
        Describe<&Input::color>("color", "Color.", {.default_json = "\"red\""}),
        Describe<&Input::columns>(
            "columns", "Columns.",
            {.max_length = 63, .min_items = 1, .max_items = 40, .element_doc = "A column."}),
        Describe<&Input::filters>("filters", "Filters.", {.default_json = "[]"}),
        Describe<&Input::params>("params", "Values.",
                                 {.default_json = "{}", .element_doc = "A value."}),
        Describe<&Input::exact>("exact", "Exact."),
        Describe<&Input::seed>("seed", "Seed.")};
  }
};

struct Nothing {
  static constexpr std::array<Field, 0> Fields() { return {}; }
};

struct Output {
  std::string table;
  std::optional<std::string> note;
  Nullable<double> mean;
  RawElements rows;
  AnyValue lowest;
  std::vector<Filter> filters;
  std::map<std::string, int64_t> counts;
  static constexpr auto Fields() {
    return std::array{Describe<&Output::table>("table", "Table."),
                      Describe<&Output::note>("note", "Note."),
                      Describe<&Output::mean>("mean", "Mean; null without rows."),
                      Describe<&Output::rows>("rows", "Rows.", {.element_doc = "A row."}),
                      Describe<&Output::lowest>("lowest", "Smallest value."),
                      Describe<&Output::filters>("filters", "Filters."),
                      Describe<&Output::counts>("counts", "Counts by key.")};
  }
};

template <class Fn>
std::string Write(Fn fn) {
  std::string text;
  JsonWriter out(text);
  fn(out);
  return text;
}

std::string InputSchema(const Shape& shape) {
  return Write([&](JsonWriter& out) { AppendInputSchema(shape, true, out); });
}

TEST(InputSchema, IsWrittenInDeclarationOrder) {
  const char* expected = R"({
    "$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{
      "table":{"type":"string","description":"Table.","x-mcp-header":"Table",
        "minLength":1,"maxLength":63,"pattern":"^[a-z]+$"},
      "limit":{"type":"integer","description":"Rows.","default":50,
        "minimum":1,"maximum":9007199254740991},
      "share":{"type":"number","description":"Share.","minimum":0,"maximum":0.5},
      "day":{"type":"string","description":"Day.","format":"date"},
      "color":{"type":"string","description":"Color.","default":"red","enum":["red","dark_blue"]},
      "columns":{"type":"array","description":"Columns.",
        "items":{"type":"string","description":"A column.","maxLength":63},
        "minItems":1,"maxItems":40},
      "filters":{"type":"array","description":"Filters.",
        "items":{"type":"object","properties":{
        "column":{"type":"string","description":"Column name."},
        "least":{"type":"integer","description":"Smallest value."}},
        "required":["column"],"additionalProperties":false}},
      "params":{"type":"object","description":"Values.",
        "additionalProperties":{"description":"A value."}},
      "exact":{"type":"boolean","description":"Exact."},
      "seed":{"type":"integer","description":"Seed.","minimum":0}},
    "required":["table","columns","seed"],"additionalProperties":false})";
  EXPECT_EQ(Oracle::parse(InputSchema(kShape<Input>)).dump(2), Oracle::parse(expected).dump(2));
}

TEST(InputSchema, AlwaysHasProperties) {
  EXPECT_EQ(InputSchema(kShape<Nothing>),
            R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
            R"("properties":{},)"
            R"("additionalProperties":false})");
}

TEST(InputSchema, NamesItsDialectOnlyWhenAsked) {
  EXPECT_EQ(Write([](JsonWriter& out) { AppendInputSchema(kShape<Nothing>, false, out); }),
            R"({"type":"object","properties":{},"additionalProperties":false})");
}

constexpr std::string_view kErrorSchema = R"({"type":"object","properties":{}})";

std::string OutputSchema(bool exact) {
  return Write(
      [&](JsonWriter& out) { AppendOutputSchema(kShape<Output>, kErrorSchema, exact, out); });
}

TEST(OutputSchema, IsTrueOfSuccessAndFailure) {
  const char* expected = R"({"type":"object","properties":{
      "table":{"type":"string","description":"Table."},
      "note":{"type":"string","description":"Note."},
      "mean":{"anyOf":[{"type":"number"},{"type":"null"}],"description":"Mean; null without rows."},
      "rows":{"type":"array","description":"Rows.","items":{"description":"A row."}},
      "lowest":{"description":"Smallest value."},
      "filters":{"type":"array","description":"Filters.","items":{"type":"object","properties":{
        "column":{"type":"string","description":"Column name."},
        "least":{"type":"integer","description":"Smallest value."}},
        "required":["column"],"additionalProperties":false}},
      "counts":{"type":"object","description":"Counts by key.",
        "additionalProperties":{"type":"integer"}},
      "error":{"type":"object","properties":{}}},
    "additionalProperties":false})";
  EXPECT_EQ(Oracle::parse(OutputSchema(false)).dump(2), Oracle::parse(expected).dump(2));
}

TEST(OutputSchema, TellsThemApartInItsExactForm) {
  Oracle expected = Oracle::parse(OutputSchema(false));
  expected["anyOf"] = Oracle::parse(R"([
    {"not":{"required":["error"]},"required":["table","mean","rows","lowest","filters","counts"]},
    {"required":["error"]}])");
  EXPECT_EQ(Oracle::parse(OutputSchema(true)).dump(2), expected.dump(2));
}

TEST(AppendSchema, SaysNullabilityOnTheOutputSideOnly) {
  const auto schema = [](SchemaSide side) {
    return Write([&](JsonWriter& out) {
      AppendSchema(kShape<Nullable<int>>, {.minimum = -1e300, .default_json = "1"}, "N.", side,
                   out);
    });
  };
  EXPECT_EQ(schema(SchemaSide::kInput),
            R"({"type":"integer","description":"N.","default":1,"minimum":-9007199254740991})");
  EXPECT_EQ(schema(SchemaSide::kOutput),
            R"({"anyOf":[{"type":"integer","minimum":-9007199254740991},{"type":"null"}],)"
            R"("description":"N."})");
}

}  // namespace
}  // namespace ducat::json
