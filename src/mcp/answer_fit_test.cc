#include "mcp/answer_fit.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

bool Fits(const InputRequest& request, std::string_view answer) {
  json::Document document;
  const auto root = document.Parse(answer);
  return root && AnswerFits(request, *root);
}

// Whether `value` fits a form whose only field, required, has `field` as its schema.
bool FieldFits(std::string_view field, std::string_view value) {
  const InputRequest form = ElicitForm("?", R"({"type":"object","properties":{"f":)" +
                                                std::string(field) + R"(},"required":["f"]})");
  return Fits(form, R"({"action":"accept","content":{"f":)" + std::string(value) + "}}");
}

TEST(AnswerFit, TakesFormsByTheirAction) {
  const InputRequest form =
      ElicitForm("?", R"({"type":"object","properties":{"n":{"type":"string"}},"required":["n"]})");
  EXPECT_TRUE(Fits(form, R"({"action":"accept","content":{"n":"x","more":[{}]}})"));
  EXPECT_TRUE(Fits(form, R"({"action":"decline"})"));
  EXPECT_TRUE(Fits(form, R"({"action":"cancel","content":{}})"));
  EXPECT_FALSE(Fits(form, R"({"action":"accept","content":{}})"));
  EXPECT_FALSE(Fits(form, R"({"action":"accept","content":["n"]})"));
  EXPECT_FALSE(Fits(form, R"({"action":"accept"})"));
  EXPECT_FALSE(Fits(form, R"({"action":"agree","content":{"n":"x"}})"));
  EXPECT_FALSE(Fits(form, R"({"content":{"n":"x"}})"));
  EXPECT_FALSE(Fits(form, "12345"));
}

TEST(AnswerFit, JudgesTexts) {
  EXPECT_TRUE(FieldFits(R"({"type":"string"})", R"("")"));
  EXPECT_FALSE(FieldFits(R"({"type":"string"})", "1"));
  EXPECT_FALSE(FieldFits(R"({"type":"string"})", "null"));
  EXPECT_TRUE(FieldFits(R"({"type":"string","minLength":2,"maxLength":2})", R"("ää")"));
  EXPECT_FALSE(FieldFits(R"({"type":"string","minLength":2})", R"("ä")"));
  EXPECT_FALSE(FieldFits(R"({"type":"string","maxLength":2})", R"("äää")"));
  EXPECT_TRUE(FieldFits(R"({"type":"string","format":"email"})", R"("a@b.org")"));
  EXPECT_FALSE(FieldFits(R"({"type":"string","format":"email"})", R"("a@")"));
  EXPECT_FALSE(FieldFits(R"({"type":"string","format":"date"})", R"("2026-02-30")"));
  EXPECT_TRUE(FieldFits(R"({"type":"string","format":"date"})", R"("2026-02-28")"));
}

TEST(AnswerFit, JudgesChoices) {
  EXPECT_TRUE(FieldFits(R"({"type":"string","enum":["a","b"]})", R"("b")"));
  EXPECT_FALSE(FieldFits(R"({"type":"string","enum":["a","b"]})", R"("c")"));
  constexpr std::string_view kTitled =
      R"({"type":"string","oneOf":[{"const":"v1","title":"One"},{"const":"v2","title":"Two"}]})";
  EXPECT_TRUE(FieldFits(kTitled, R"("v2")"));
  EXPECT_FALSE(FieldFits(kTitled, R"("Two")"));
  constexpr std::string_view kMany =
      R"({"type":"array","maxItems":2,"items":{"anyOf":[{"const":"v1"},{"const":"v2"}]}})";
  EXPECT_TRUE(FieldFits(kMany, "[]"));
  EXPECT_TRUE(FieldFits(kMany, R"(["v1","v2"])"));
  EXPECT_FALSE(FieldFits(kMany, R"(["v1","v2","v1"])"));
  EXPECT_FALSE(FieldFits(kMany, R"(["v3"])"));
  EXPECT_FALSE(FieldFits(R"({"type":"array","items":{"enum":["a"]}})", R"([1])"));
  EXPECT_FALSE(FieldFits(R"({"type":"array","items":{"enum":["a"]}})", R"("a")"));
}

TEST(AnswerFit, JudgesNumbersAndFlags) {
  EXPECT_TRUE(FieldFits(R"({"type":"integer","minimum":1,"maximum":3})", "3"));
  EXPECT_FALSE(FieldFits(R"({"type":"integer","minimum":1,"maximum":3})", "4"));
  EXPECT_FALSE(FieldFits(R"({"type":"integer","minimum":1})", "0"));
  EXPECT_FALSE(FieldFits(R"({"type":"integer"})", "1.5"));
  EXPECT_TRUE(FieldFits(R"({"type":"number"})", "1.5"));
  EXPECT_FALSE(FieldFits(R"({"type":"number"})", R"("1.5")"));
  EXPECT_TRUE(FieldFits(R"({"type":"boolean"})", "false"));
  EXPECT_FALSE(FieldFits(R"({"type":"boolean"})", "0"));
}

TEST(AnswerFit, TakesSamplesAndRootsByTheirShape) {
  const InputRequest sample = SampleText("?", 10);
  EXPECT_TRUE(Fits(sample, R"({"role":"assistant","model":"m","content":{"type":"text"}})"));
  EXPECT_TRUE(Fits(sample, R"({"role":"assistant","content":[]})"));
  EXPECT_FALSE(Fits(sample, R"({"content":{"type":"text"}})"));
  EXPECT_FALSE(Fits(sample, R"({"role":"assistant","content":"Paris"})"));
  EXPECT_TRUE(Fits(ListRoots(), R"({"roots":[]})"));
  EXPECT_TRUE(Fits(ListRoots(), R"({"roots":[{"uri":"file:///a"}]})"));
  EXPECT_FALSE(Fits(ListRoots(), R"({"roots":[{"name":"a"}]})"));
  EXPECT_FALSE(Fits(ListRoots(), "{}"));
}

TEST(InputAnswer, ReadsWhatWasFilledIn) {
  const InputAnswer form(R"({"action":"accept","content":{"name":"Ada","age":36}})");
  EXPECT_TRUE(form.accepted());
  EXPECT_EQ(form.Field("name"), "Ada");
  EXPECT_EQ(form.Field("age"), std::nullopt);
  EXPECT_EQ(form.Content(), R"({"name":"Ada","age":36})");
  EXPECT_EQ(InputAnswer(R"({"action":"decline"})").Content(), "{}");
  EXPECT_FALSE(InputAnswer(R"({"action":"decline"})").accepted());
}

TEST(InputAnswer, ReadsSamplesAndRoots) {
  EXPECT_EQ(
      InputAnswer(R"({"role":"assistant","content":{"type":"text","text":"Paris"}})").SampledText(),
      "Paris");
  EXPECT_EQ(InputAnswer(R"({"role":"assistant","content":[{"type":"image"},{"text":"Rome"}]})")
                .SampledText(),
            "Rome");
  EXPECT_EQ(InputAnswer(R"({"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]})").RootUris(),
            (std::vector<std::string>{"file:///a", "file:///b"}));
}

}  // namespace
}  // namespace ducat::mcp
