#include "json/decode.h"

#include <array>

#include "support/result_matchers.h"

namespace ducat::json {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

struct Part {
  int8_t tiny = 0;
  std::optional<std::string> note;
  static constexpr auto Fields() {
    return std::array{Describe<&Part::tiny>("tiny", "t"), Describe<&Part::note>("note", "n")};
  }
};

TEST(DecodeStrict, IgnoresUnknownMembersAndNamesTheFirstProblem) {
  Document document;
  const auto decode = [&](std::string_view text) { return Decode<Part>(*document.Parse(text)); };
  EXPECT_THAT(decode(R"({"tiny":1,"later":{"x":1}})"), IsOk());
  EXPECT_THAT(decode(R"({"tiny":1,"note":null})"), IsOk());
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({})", "tiny: Invalid input: expected integer, received undefined"},
      {R"({"tiny":null})", "tiny: Invalid input"},
      {R"({"tiny":true})", "tiny: Invalid input: expected integer, received boolean"},
      {R"({"tiny":128})", "tiny: Too big: expected number to be <=127"},
      {R"({"tiny":-129})", "tiny: Too small: expected number to be >=-128"},
      {R"({"tiny":1,"note":5})", "note: Invalid input: expected string, received number"},
      {R"([])", "expected object, received array"},
      {R"(null)", "expected object, received null"},
      {R"("{\"tiny\":1}")", "expected object, received string"}};
  for (const auto& [text, words] : cases) {
    const Result<Part> read = decode(text);
    EXPECT_THAT(read, FailsWith("invalid_message")) << text;
    if (!read) {
      EXPECT_THAT(read.error().message, HasSubstr(words));
    }
  }
  // No repairs: another spelling is just an unknown member.
  EXPECT_THAT(decode(R"({"Tiny":1})"), FailsWith("invalid_message"));
}

// The same input, for a tool: repairs and a report instead.
TEST(DecodeArguments, RepairsWhatTheStrictFormRefuses) {
  Document document;
  Part part;
  const Result<View> root = document.Parse(R"({"Tiny":"-5","note":7,"_meta":{}})");
  EXPECT_TRUE(DecodeArguments(kShape<Part>, *root, &part).issues.empty());
  EXPECT_EQ(part.tiny, -5);
  EXPECT_EQ(part.note, "7");
  const Result<View> unknown = document.Parse(R"({"tiny":1,"later":1})");
  EXPECT_EQ(DecodeArguments(kShape<Part>, *unknown, &part).issues.size(), 1U);
}

}  // namespace
}  // namespace ducat::json
