#include "mcp/error_mapping.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/view.h"

namespace ducat::mcp {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kCodes = static_cast<int>(ErrorCode::kInternal) + 1;

Error Make(ErrorCode code, std::string reason = "some_reason") {
  return {.code = code,
          .reason = std::move(reason),
          .message = "It is wrong.",
          .hint = "Do it right.",
          .data = {}};
}

// Walks every enumerator: a new one without a number of its own shows here.
TEST(ErrorMapping, GivesEveryClassItsNumber) {
  const struct {
    ErrorCode code;
    int tool, rpc;
    bool retryable;
  } expected[] = {
      {ErrorCode::kInvalidArgument, -32007, -32602, false},
      {ErrorCode::kNotFound, -32001, -32602, false},
      {ErrorCode::kPermissionDenied, -32005, -32602, false},
      {ErrorCode::kUnauthenticated, -32006, -32602, false},
      {ErrorCode::kFailedPrecondition, -32002, -32602, false},
      {ErrorCode::kResourceExhausted, -32003, -31003, true},
      {ErrorCode::kDeadlineExceeded, -32004, -31004, true},
      {ErrorCode::kCancelled, -32011, -32603, false},
      {ErrorCode::kUnavailable, -32000, -31003, true},
      {ErrorCode::kInternal, -32603, -32603, false},
  };
  ASSERT_EQ(std::size(expected), static_cast<size_t>(kCodes));
  std::set<int> tool_codes;
  for (int i = 0; i < kCodes; ++i) {
    const Error error = Make(static_cast<ErrorCode>(i));
    EXPECT_EQ(expected[i].code, error.code);
    EXPECT_EQ(ToolErrorCode(error), expected[i].tool) << i;
    EXPECT_EQ(RpcErrorCode(error, kModern), expected[i].rpc) << i;
    EXPECT_EQ(IsRetryable(error, nullptr), expected[i].retryable) << i;
    EXPECT_TRUE(tool_codes.insert(ToolErrorCode(error)).second) << i;
  }
}

TEST(ErrorMapping, UsesNoClosedCodeInJsonRpc) {
  for (int i = 0; i < kCodes; ++i) {
    for (const Revision revision : {Revision::k20241105, kNewestLegacy, kModern}) {
      const int code = RpcErrorCode(Make(static_cast<ErrorCode>(i)), revision);
      EXPECT_TRUE(code > -32000 || code < -32099) << code;
    }
  }
}

TEST(ErrorMapping, GivesSomeReasonsTheirOwnCode) {
  const Error missing = Make(ErrorCode::kNotFound, "resource_not_found");
  EXPECT_EQ(RpcErrorCode(missing, kModern), rpc::kInvalidParams);
  EXPECT_EQ(RpcErrorCode(missing, kNewestLegacy), rpc::kResourceNotFound);
  EXPECT_EQ(RpcErrorCode(Make(ErrorCode::kResourceExhausted, "rate_limited"), kModern),
            rpc::kRateLimited);
  EXPECT_EQ(ToolErrorCode(Make(ErrorCode::kInvalidArgument, "invalid_arguments")), -32602);
}

TEST(ErrorMapping, LetsTheDeclarationDecideRetryable) {
  ToolInfo info;
  info.errors = {{.reason = "busy",
                  .code = ErrorCode::kFailedPrecondition,
                  .when = "Busy.",
                  .recovery = "",
                  .retryable = true},
                 {.reason = "full",
                  .code = ErrorCode::kResourceExhausted,
                  .when = "Full.",
                  .recovery = "",
                  .retryable = false}};
  EXPECT_TRUE(IsRetryable(Make(ErrorCode::kFailedPrecondition, "busy"), &info));
  EXPECT_FALSE(IsRetryable(Make(ErrorCode::kResourceExhausted, "full"), &info));
  EXPECT_TRUE(IsRetryable(Make(ErrorCode::kResourceExhausted, "other"), &info));
  EXPECT_FALSE(IsRetryable(Make(ErrorCode::kResourceExhausted, "result_too_large"), nullptr));
}

TEST(ErrorText, HasTwoStyles) {
  ToolInfo info;
  const Error error = Make(ErrorCode::kNotFound);
  EXPECT_EQ(ErrorText(error, info, "7K3QD-M2XW9"),
            "Error: It is wrong.\n\nRecovery: Do it right.\n\n"
            "(reason some_reason · not retryable · request 7K3QD-M2XW9)");
  info.error_style = ErrorStyle::kBracketed;
  EXPECT_EQ(ErrorText(error, info, "7K3QD-M2XW9"),
            "[some_reason] It is wrong.\nHint: Do it right.\n\n"
            "(reason some_reason · not retryable · request 7K3QD-M2XW9)");
}

TEST(ErrorText, DropsAHintThatTheMessageHas) {
  Error error = Make(ErrorCode::kNotFound);
  error.hint = "It is wrong.";
  EXPECT_THAT(ErrorText(error, {}, "r"), Not(HasSubstr("Recovery:")));
  error.hint.clear();
  EXPECT_THAT(ErrorText(error, {}, "r"), Not(HasSubstr("Recovery:")));
}

TEST(ErrorMapping, ShowsNothingInternal) {
  Error error = Internal("open /secret/path failed").value();
  error.hint = "see /secret/log";
  error.data = "\"path\":\"/secret\"";
  for (const std::string& text : {ErrorText(error, {}, "r"), ErrorStructured(error, {}, "r"),
                                  EncodeError("1", ToRpcError(error, kModern, "r", ""))}) {
    EXPECT_THAT(text, Not(HasSubstr("secret")));
    EXPECT_THAT(text, HasSubstr("Internal error. Quote the request id."));
  }
}

TEST(ErrorMapping, SaysTheSameOnBothSurfaces) {
  Error error = Make(ErrorCode::kResourceExhausted, "rate_limited");
  error.data = "\"retryAfter\":3";
  EXPECT_EQ(ErrorStructured(error, {}, "R"),
            R"({"error":{"code":-32003,"message":"It is wrong.","data":{"reason":"rate_limited",)"
            R"("recovery":{"hint":"Do it right."},"retryable":true,"requestId":"R",)"
            R"("retryAfter":3}}})");
  EXPECT_EQ(ToRpcError(error, kModern, "R", "x://y").data,
            R"({"uri":"x://y","reason":"rate_limited","recovery":{"hint":"Do it right."},)"
            R"("retryable":true,"requestId":"R","retryAfter":3})");
}

TEST(ErrorMapping, CleansWhatComesFromData) {
  Error error = Make(ErrorCode::kNotFound);
  error.message = "no table \x1b[31m\xE2\x80\x8B";
  EXPECT_THAT(ErrorText(error, {}, "r"), HasSubstr("no table \\u001b[31m\\u200b"));
  EXPECT_THAT(ErrorStructured(error, {}, "r"), HasSubstr("no table \\\\u001b[31m\\\\u200b"));
}

TEST(ErrorSchema, ListsTheDeclaredReasons) {
  ToolInfo info;
  info.errors = {{.reason = "a", .code = ErrorCode::kNotFound, .when = "No a", .recovery = ""},
                 {.reason = "b", .code = ErrorCode::kNotFound, .when = "No b.", .recovery = ""}};
  const std::string schema = ErrorSchema(info);
  json::Document document;
  EXPECT_TRUE(document.Parse(schema).has_value());
  EXPECT_THAT(schema, HasSubstr(R"("examples":["a","b"])"));
  EXPECT_THAT(ErrorSchema({}), Not(HasSubstr("examples")));
}

}  // namespace
}  // namespace ducat::mcp
