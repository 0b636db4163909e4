#include "json/encode.h"

#include <array>
#include <cmath>

#include "json/decode.h"
#include "support/result_matchers.h"

namespace ducat::json {
namespace {

using testing::IsOk;

enum class Side : uint8_t { kLeft, kRight };

}  // namespace

template <>
struct EnumNames<Side> {
  static constexpr std::array<std::string_view, 2> kNames{"left", "right"};
};

namespace {

struct Part {
  int8_t tiny = 0;
  std::optional<std::string> note;
  bool operator==(const Part&) const = default;
  static constexpr auto Fields() {
    return std::array{Describe<&Part::tiny>("tiny", "t"), Describe<&Part::note>("note", "n")};
  }
};

struct Whole {
  bool flag = false;
  int64_t big = 0;
  uint64_t huge = 0;
  uint16_t small = 0;
  double real = 0;
  std::string text;
  Side side = Side::kLeft;
  std::vector<Part> parts;
  std::optional<int> absent;
  Nullable<int> empty;
  std::map<std::string, std::vector<int>> lists;
  Raw raw;
  RawElements rows;
  AnyValue any;
  static constexpr auto Fields() {
    return std::array{Describe<&Whole::flag>("flag", ""),     Describe<&Whole::big>("big", ""),
                      Describe<&Whole::huge>("huge", ""),     Describe<&Whole::small>("small", ""),
                      Describe<&Whole::real>("real", ""),     Describe<&Whole::text>("text", ""),
                      Describe<&Whole::side>("side", ""),     Describe<&Whole::parts>("parts", ""),
                      Describe<&Whole::absent>("absent", ""), Describe<&Whole::empty>("empty", ""),
                      Describe<&Whole::lists>("lists", ""),   Describe<&Whole::raw>("raw", ""),
                      Describe<&Whole::rows>("rows", ""),     Describe<&Whole::any>("any", "")};
  }
};

TEST(Encode, LeavesOutAbsentMembersAndKeepsEmptyOnes) {
  EXPECT_EQ(Encode(Whole{}),
            R"({"flag":false,"big":0,"huge":0,"small":0,"real":0,"text":"","side":"left",)"
            R"("parts":[],"empty":null,)"
            R"("lists":{},"raw":null,"rows":[],"any":null})");
}

Whole Filled() {
  Whole whole{.flag = true,
              .big = INT64_MIN,
              .huge = UINT64_MAX,
              .small = 65'535,
              .real = 2.5,
              .text = "a\"\n",
              .side = Side::kRight};
  whole.parts = {{.tiny = -128}, {.tiny = 127, .note = "n"}};
  whole.absent = 7;
  whole.empty = -1;
  whole.lists = {{"b", {1, 2}}, {"a", {}}};
  whole.raw.json = R"({"x":[1]})";
  whole.rows.json = R"([1,"a"],[2,"b"])";
  whole.any.json = "\"cell\"";
  return whole;
}

TEST(Encode, WritesEveryKind) {
  EXPECT_EQ(Encode(Filled()),
            R"({"flag":true,"big":"-9223372036854775808","huge":"18446744073709551615",)"
            R"("small":65535,"real":2.5,)"
            R"("text":"a\"\n","side":"right","parts":[{"tiny":-128},{"tiny":127,"note":"n"}],)"
            R"("absent":7,"empty":-1,)"
            R"("lists":{"a":[],"b":[1,2]},"raw":{"x":[1]},"rows":[[1,"a"],[2,"b"]],"any":"cell"})");
}

// Frames between our processes: what is encoded is decoded to the same struct.
TEST(Encode, RoundTripsThroughTheStrictDecoder) {
  for (Whole whole : {Whole{}, Filled()}) {
    for (const double real : {2.5, -0.1, 1e300, HUGE_VAL, -HUGE_VAL, 5.0}) {
      whole.real = real;
      if (whole.raw.json.empty()) whole.raw.json = "null";
      Document document;
      const auto root = document.Parse(Encode(whole));
      ASSERT_THAT(root, IsOk());
      const Result<Whole> read = Decode<Whole>(*root);
      ASSERT_THAT(read, IsOk());
      EXPECT_EQ(Encode(*read), Encode(whole));
      EXPECT_EQ(read->big, whole.big);
      EXPECT_EQ(read->huge, whole.huge);
      EXPECT_EQ(read->real, whole.real);
      EXPECT_EQ(read->parts, whole.parts);
    }
  }
  Document document;
  const auto nan = document.Parse(R"("NaN")");
  double out = 0;
  ASSERT_THAT(DecodeStrict(kShape<double>, *nan, &out), IsOk());
  EXPECT_TRUE(std::isnan(out));
}

}  // namespace
}  // namespace ducat::json
