#include <random>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "json/view.h"

namespace ducat::json {
namespace {

using Found = std::optional<std::string_view>;
using Oracle = nlohmann::json;

TEST(ScanTopLevel, FindsTheTokenAsItWasSent) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"id":17})", "17"},
      {R"({"id":"a"})", R"("a")"},
      {R"( { "id" : 1.0 , "x":1})", "1.0"},
      {R"({"id":-0,"x":1})", "-0"},
      {R"({"id":123456789012345678901234567890,"x":1})", "123456789012345678901234567890"},
      {R"({"id":"a\"}\\","x":1})", R"("a\"}\\")"},
      {R"({"params":{"id":1,"x":[{"id":2}]},"id":3})", "3"},
      {R"({"a":"}\",\"id\":9","id":null})", "null"},
      {R"({"\u0069d":true})", "true"},
      {"{\"a\":[1,2,{\"b\":\"]\"}],\t\"id\"\n:\r5\n}", "5"}};
  for (const auto& [text, token] : cases)
    EXPECT_EQ(ScanTopLevel(text, "id"), Found(token)) << text;
}

TEST(ScanTopLevel, WorksOnTextsThatParseRefuses) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"({"id":17,"n":1e400})", "17"},      // does not fit
      {R"({"a":1,"a":2,"id":17})", "17"},    // another key twice
      {R"({"a":tru,"id":17})", "17"},        // malformed before
      {R"({"id":17,"method":)", "17"},       // cut off after
      {R"({"id":17,)", "17"},                //
      {R"({"id":17} trailing)", "17"},       //
      {"{\"a\":\"\xFF\",\"id\":17}", "17"},  // invalid UTF-8 elsewhere
      {"\xEF\xBB\xBF{\"id\":17}", "17"},     // byte order mark
      {R"({"id":17,nokey})", "17"}};
  for (const auto& [text, token] : cases) {
    Document document;
    EXPECT_FALSE(document.Parse(text)) << text;
    EXPECT_EQ(ScanTopLevel(text, "id"), Found(token)) << text;
  }
  const std::string deep =
      "{\"p\":" + std::string(90'000, '[') + std::string(90'000, ']') + ",\"id\":17}";
  EXPECT_EQ(ScanTopLevel(deep, "id"), Found("17"));
}

TEST(ScanTopLevel, GivesNothingWithoutCertainty) {
  for (const std::string_view text : {"",
                                      "[]",
                                      "17",
                                      "{}",
                                      R"({"x":1})",
                                      R"({"ID":1})",
                                      R"({"id":1,"id":1})",
                                      R"({"id":1,"\u0069d":2})",
                                      R"({"id":{"a":1}})",
                                      R"({"id":[1]})",
                                      R"({"id":abc})",
                                      R"({"id":01})",
                                      R"({"id":1)",
                                      R"({"id":"a)",
                                      R"({"id":)",
                                      R"({"id")",
                                      R"({"id":,"x":1})",
                                      R"({"id" 1})",
                                      R"({"x":{"id":1}})",
                                      R"({"x":"a,"id":1})",
                                      R"({"x":[},"id":1})",
                                      R"({"id":"\ud800"})",
                                      "{\"id\":\"\xFF\"}",
                                      "{\"id\":\"a\nb\"}",
                                      R"({"id":1 2})",
                                      R"([{"id":1}])",
                                      R"({"id":tru})",
                                      R"({x:1,"id":2})"}) {
    EXPECT_EQ(ScanTopLevel(text, "id"), std::nullopt) << text;
  }
}

// On texts that are JSON it finds exactly what a parser finds.
TEST(ScanTopLevel, AgreesWithTheOracleOnMutatedMessages) {
  const std::string seed = R"({"jsonrpc":"2.0","params":{"a":[1,{"id":5}],"b":"x\"y,}"},"id":17,)"
                           R"("method":"tools/call","z":[[],{}]})";
  const std::string_view lively = "{}[]\",:019.e-\\u id";
  std::mt19937 random(31);
  int judged = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seed;
    for (size_t edits = 1 + random() % 2; edits > 0; --edits) {
      text[random() % text.size()] = lively[random() % lively.size()];
    }
    const Found token = ScanTopLevel(text, "id");
    if (token) {
      EXPECT_TRUE(Oracle::accept(*token)) << text;
    }
    Document document;
    const auto root = document.Parse(text);
    if (!root) continue;
    ++judged;
    const std::optional<View> id = root->Find("id");
    const bool scalar = id && !id->IsArray() && !id->IsObject();
    ASSERT_EQ(token.has_value(), scalar) << text;
    if (token) {
      EXPECT_EQ(Oracle::parse(*token), Oracle::parse(id->ToJson())) << text;
    }
  }
  EXPECT_GT(judged, 500);
}

}  // namespace
}  // namespace ducat::json
