#include "mcp/rpc_error.h"

#include <gtest/gtest.h>

namespace ducat::mcp {
namespace {

TEST(EncodeError, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(EncodeError("", {.code = -32700, .message = "no"}),
            R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"no"}})");
  EXPECT_EQ(
      EncodeError("\"a\"", {.code = -32602, .message = "n\n\"o\"", .data = R"({"x":1})"}),
      R"({"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"n\n\"o\"","data":{"x":1}}})");
}

TEST(EncodeError, ShowsControlsEscaped) {
  EXPECT_EQ(EncodeError("1", {.code = 1, .message = "\x1b"}),
            R"({"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"\\u001b"}})");
}

}  // namespace
}  // namespace ducat::mcp
