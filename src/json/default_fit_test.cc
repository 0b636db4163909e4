#include "json/default_fit.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/decode.h"

enum class FitColour : uint8_t { kRed, kGreen };
template <>
struct ducat::json::EnumNames<FitColour> {
  static constexpr std::array<std::string_view, 2> kNames{"red", "green"};
};

namespace ducat::json {
namespace {

struct Inner {
  int64_t n = 0;
  std::string note;
  static constexpr auto Fields() {
    return std::array{Describe<&Inner::n>("n", "Number.", {.minimum = 1}),
                      Describe<&Inner::note>("note", "Note.", {.default_json = "\"\""})};
  }
};

// Whether the text fits T; when it does, it must decode, or the promise is broken.
template <class T>
bool Fits(std::string_view text) {
  Document document;
  const Result<View> value = document.Parse(text);
  EXPECT_TRUE(value.has_value()) << text;
  if (!value) return false;
  const bool fits = FitsShape(kShape<T>, *value);
  T out{};
  if (fits) {
    EXPECT_TRUE(DecodeStrict(kShape<T>, *value, &out).has_value()) << text;
  }
  return fits;
}

template <class T>
void Expect(const std::vector<std::string_view>& good, const std::vector<std::string_view>& bad) {
  for (const std::string_view text : good)
    EXPECT_TRUE(Fits<T>(text)) << text;
  for (const std::string_view text : bad)
    EXPECT_FALSE(Fits<T>(text)) << text;
}

TEST(DefaultFit, Scalars) {
  Expect<bool>({"true", "false"}, {"1", "\"true\"", "null", "[]", "{}"});
  Expect<int64_t>({"1", "-5", "9223372036854775807"}, {"1.5", "\"1\"", "true", "null", "[1]"});
  Expect<uint8_t>({"0", "255"}, {"-1", "256"});
  Expect<double>({"1", "1.5", "-1e300"}, {"\"1\"", "true", "null", "[]"});
  Expect<std::string>({"\"\"", "\"a\\n\""}, {"1", "null", "[]", "{}"});
  Expect<FitColour>({"\"red\"", "\"green\""}, {"\"blue\"", "0", "null"});
}

TEST(DefaultFit, Containers) {
  Expect<std::vector<int64_t>>({"[]", "[1,2]"}, {"{}", "\"[]\"", "[1,\"2\"]", "null", "1"});
  Expect<std::map<std::string, bool>>({"{}", R"({"a":true})"}, {"[]", R"({"a":1})", "null"});
  Expect<std::optional<int64_t>>({"1"}, {"\"1\"", "[]"});
  Expect<Inner>({R"({"n":1})", R"({"n":2,"note":"x"})"},
                {"{}", R"({"n":"1"})", R"({"n":0})", R"({"n":1,"note":2})", "[]"});
  Expect<AnyValue>({"1", "{}", "null"}, {});
}

TEST(DefaultFit, BoundsOfTheField) {
  const auto fits = [](const Field& field, std::string_view text) {
    Document document;
    return FitsField(field, *document.Parse(text));
  };
  const Field number{.shape = &kShape<int64_t>, .rule = {.minimum = 1, .maximum = 5}};
  EXPECT_TRUE(fits(number, "1"));
  EXPECT_TRUE(fits(number, "5"));
  EXPECT_FALSE(fits(number, "0"));
  EXPECT_FALSE(fits(number, "6"));
  const Field text{.shape = &kShape<std::string>, .rule = {.min_length = 1, .max_length = 2}};
  EXPECT_TRUE(fits(text, "\"\xC3\xA4\xC3\xB6\""));
  EXPECT_FALSE(fits(text, "\"\""));
  EXPECT_FALSE(fits(text, "\"abc\""));
  const Field list{.shape = &kShape<std::vector<int64_t>>, .rule = {.max_items = 1}};
  EXPECT_TRUE(fits(list, "[]"));
  EXPECT_FALSE(fits(list, "[1,2]"));
}

}  // namespace
}  // namespace ducat::json
