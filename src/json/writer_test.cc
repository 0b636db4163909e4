#include "json/writer.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "json/view.h"
#include "support/result_matchers.h"

namespace ducat::json {
namespace {

using testing::IsOk;

template <class Fn>
std::string Write(Fn fn) {
  std::string text;
  JsonWriter out(text);
  fn(out);
  return text;
}

template <class Number>
std::string Shortest(Number value) {
  std::string out;
  AppendShortest(out, value);
  return out;
}

TEST(JsonWriter, PutsCommasAndColons) {
  EXPECT_EQ(Write([](JsonWriter& out) {
              out.BeginObject();
              out.Field("a", 1);
              out.Key("b");
              out.BeginArray();
              out.BeginArray();
              out.EndArray();
              out.BeginObject();
              out.EndObject();
              out.Null();
              out.Bool(true);
              out.String("x");
              out.EndArray();
              out.Field("c", false);
              out.Field("d", "text");
              out.Field("e", 1.5);
              out.EndObject();
            }),
            R"({"a":1,"b":[[],{},null,true,"x"],"c":false,"d":"text","e":1.5})");
}

TEST(JsonWriter, SplicesFinishedBytes) {
  EXPECT_EQ(Write([](JsonWriter& out) {
              out.BeginArray();
              out.Integer(1);
              out.Raw("[2,3],[4]");
              out.Raw("");
              out.EscapedString("a\\nb");
              out.EndArray();
            }),
            R"([1,[2,3],[4],"a\nb"])");
  EXPECT_EQ(Write([](JsonWriter& out) {
              out.BeginObject();
              out.RawField("a", "{\"x\":1}");
              out.RawField("b", "");
              out.EndObject();
            }),
            R"({"a":{"x":1},"b":null})");
}

TEST(JsonWriter, WritesIntegersBeyond53BitsAsStrings) {
  const auto integer = [](int64_t value) {
    return Write([value](JsonWriter& out) { out.Integer(value); });
  };
  const auto natural = [](uint64_t value) {
    return Write([value](JsonWriter& out) { out.Unsigned(value); });
  };
  EXPECT_EQ(integer(0), "0");
  EXPECT_EQ(integer(-1), "-1");
  EXPECT_EQ(integer(9007199254740991), "9007199254740991");
  EXPECT_EQ(integer(9007199254740992), "\"9007199254740992\"");
  EXPECT_EQ(integer(-9007199254740991), "-9007199254740991");
  EXPECT_EQ(integer(-9007199254740992), "\"-9007199254740992\"");
  EXPECT_EQ(integer(INT64_MIN), "\"-9223372036854775808\"");
  EXPECT_EQ(natural(9007199254740991), "9007199254740991");
  EXPECT_EQ(natural(9007199254740992), "\"9007199254740992\"");
  EXPECT_EQ(natural(UINT64_MAX), "\"18446744073709551615\"");
}

TEST(JsonWriter, WritesDoublesAsTheShortestText) {
  const std::pair<double, std::string_view> cases[] = {
      {0.0, "0"},
      {-0.0, "0"},
      {1.0, "1"},
      {-1.0, "-1"},
      {418.8, "418.8"},
      {0.1, "0.1"},
      {0.3, "0.3"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {100000.0, "100000"},
      {1e15, "1000000000000000"},
      {9007199254740991.0, "9007199254740991"},
      {9007199254740992.0, "9.007199254740992e+15"},
      {1e22, "1e+22"},
      {1e30, "1e+30"},
      {123456789012345680000.0, "1.2345678901234568e+20"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {5e-324, "5e-324"},
      {0.000001, "0.000001"},
      {0.0000012, "0.0000012"},
      {0.0000001, "1e-07"},
      {0.05, "0.05"},
      {12.5, "12.5"},
      {-12.345678, "-12.345678"},
      {999999999.999999, "999999999.999999"},
      {1234567890.5, "1234567890.5"},
      {2251799813685248.5, "2251799813685248.5"},
      {2.5e-5, "0.000025"},
      {std::nan(""), "\"NaN\""},
      {INFINITY, "\"Infinity\""},
      {-INFINITY, "\"-Infinity\""}};
  for (const auto& [value, text] : cases) {
    EXPECT_EQ(Write([v = value](JsonWriter& out) { out.Double(v); }), text);
  }
}

TEST(AppendShortest, KeepsTheSignOfZero) {
  EXPECT_EQ(Shortest(-0.0), "-0.0");
  EXPECT_EQ(Shortest(0.0), "0");
  EXPECT_EQ(Shortest(-0.0F), "-0.0");
  Document document;
  const auto root = document.Parse(Shortest(-0.0));
  ASSERT_THAT(root, IsOk());
  EXPECT_TRUE(std::signbit(*root->AsDouble()));
}

TEST(JsonWriter, WritesFloatsAsFloats) {
  const std::pair<float, std::string_view> cases[] = {
      {0.1F, "0.1"},     {-0.0F, "0"},  {16777216.0F, "16777216"}, {3.4028235e38F, "3.4028235e+38"},
      {1e-45F, "1e-45"}, {2.5F, "2.5"}, {NAN, "\"NaN\""},          {-INFINITY, "\"-Infinity\""}};
  for (const auto& [value, text] : cases) {
    EXPECT_EQ(Write([v = value](JsonWriter& out) { out.Float(v); }), text);
  }
}

// Three kinds of doubles: any bits, few decimals, neighbours of few decimals.
double RandomDouble(std::mt19937_64& random, int kind) {
  const uint64_t bits = random();
  double value = 0;
  if (kind == 0) {
    std::memcpy(&value, &bits, sizeof(value));
    return value;
  }
  const double powers[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  value = static_cast<double>(static_cast<int64_t>(bits >> (random() % 50))) / powers[random() % 9];
  return kind == 1 ? value : std::nextafter(value, INFINITY);
}

TEST(JsonWriter, RandomDoublesReadBackTheSameInNoMoreDigitsThanNeeded) {
  std::mt19937_64 random(5);
  Document document;
  for (int round = 0; round < 40'000; ++round) {
    const double value = RandomDouble(random, round % 3);
    if (!std::isfinite(value)) continue;
    const std::string text = Shortest(value);
    ASSERT_THAT(document.Parse(text), IsOk()) << text;
    const double read = *document.root().AsDouble();
    ASSERT_EQ(read, value) << text;
    // An integer token would have to fit into 64 bits.
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    char printed[40];
    size_t digits = 17;
    for (int precision = 1; precision <= 17; ++precision) {
      std::snprintf(printed, sizeof(printed), "%.*e", precision - 1, value);
      if (std::strtod(printed, nullptr) == value) {
        digits = static_cast<size_t>(precision);
        break;
      }
    }
    // Significant digits: without the exponent, the point, and zeros at either end.
    std::string own = text.substr(0, text.find('e'));
    std::erase_if(own, [](char c) { return c == '-' || c == '.'; });
    own.erase(0, std::min(own.find_first_not_of('0'), own.size()));
    while (!own.empty() && own.back() == '0')
      own.pop_back();
    if (value != std::trunc(value)) {
      ASSERT_EQ(own.size(), digits) << text;
    }
  }
}

TEST(JsonWriter, RandomFloatsReadBackTheSame) {
  std::mt19937 random(6);
  for (int round = 0; round < 30'000; ++round) {
    const auto bits = static_cast<uint32_t>(random());
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::strtof(Shortest(value).c_str(), nullptr), value) << Shortest(value);
  }
}

}  // namespace
}  // namespace ducat::json
