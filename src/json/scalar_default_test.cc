#include "json/scalar_default.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "json/decode.h"

namespace ducat::json {
namespace {

enum class Mode : uint8_t { kOff, kOn };

}  // namespace

template <>
struct EnumNames<Mode> {
  static constexpr std::array<std::string_view, 2> kNames{"off", "on"};
};

namespace {

// What it stores itself has to be what a parser and the strict decoder make of the same text.
template <class T>
void ExpectSameAsDecoded(std::string_view json, bool stored) {
  T fast{};
  EXPECT_EQ(StoreScalarDefault(kShape<T>, json, &fast), stored) << json;
  if (!stored) return;
  Document document;
  const Result<View> value = document.Parse(json);
  ASSERT_TRUE(value.has_value()) << json;
  T slow{};
  ASSERT_TRUE(DecodeStrict(kShape<T>, *value, &slow).has_value()) << json;
  EXPECT_EQ(fast, slow) << json;
}

TEST(StoreScalarDefault, AgreesWithTheParserOrLeavesItToIt) {
  ExpectSameAsDecoded<bool>("true", true);
  ExpectSameAsDecoded<bool>("false", true);
  ExpectSameAsDecoded<bool>("1", false);
  ExpectSameAsDecoded<int>("-15", true);
  ExpectSameAsDecoded<int>("5.0", false);
  ExpectSameAsDecoded<int8_t>("127", true);
  ExpectSameAsDecoded<int8_t>("128", false);
  ExpectSameAsDecoded<uint64_t>("18446744073709551615", true);
  ExpectSameAsDecoded<double>("0.25", true);
  ExpectSameAsDecoded<double>("1e3", true);
  ExpectSameAsDecoded<double>("\"NaN\"", false);
  ExpectSameAsDecoded<std::string>("\"EUR\"", true);
  ExpectSameAsDecoded<std::string>("\"\"", true);
  ExpectSameAsDecoded<std::string>("\"a\\n\"", false);
  ExpectSameAsDecoded<std::string>("7", false);
  ExpectSameAsDecoded<Mode>("\"on\"", true);
  ExpectSameAsDecoded<Mode>("\"On\"", false);
  ExpectSameAsDecoded<std::optional<int>>("5", false);
  ExpectSameAsDecoded<std::vector<int>>("[1]", false);
}

}  // namespace
}  // namespace ducat::json
