// No request makes the work of the gate quadratic (S-16): counted in instructions, at 1x, 2x, 4x.
#include <string>

#include <gtest/gtest.h>

#include "support/counting_test.h"
#include "transport/http/chunked_body.h"
#include "transport/http/gate.h"
#include "transport/http/head_scan.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::GrowthOf;
using ::ducat::testing::kLinear;
using ::ducat::testing::Repeated;

struct LinearCost : ::ducat::testing::CountingTest {};

// Each of them is looked for among those before.
TEST_F(LinearCost, S16HeaderLinesThatMustNotComeTwice) {
  const auto head = [](size_t n) {
    std::string out = "POST /mcp HTTP/1.1\r\nHost: a\r\n";
    for (size_t i = 0; i < n; ++i) {
      out.append("Mcp-Param-").append(std::to_string(i * 79 % 100 + 100)).append(": x\r\n");
    }
    return out + "\r\n";
  };
  const HttpLimits limits;
  const auto scan = [&](const std::string& text) { EXPECT_FALSE(ScanHead(text, limits)); };
  EXPECT_LT(GrowthOf(10, head, scan), kLinear);
}

TEST_F(LinearCost, S16AcceptLists) {
  const auto list = [](size_t n) { return Repeated(n, "a/b;q=0.5,") + "text/event-stream"; };
  const auto read = [](const std::string& text) { EXPECT_TRUE(ReadAccept(text).stream); };
  EXPECT_LT(GrowthOf(8, list, read), kLinear);
}

TEST_F(LinearCost, S16HeadersThatAPreflightAsksFor) {
  const HttpOptions options;
  const TrustedNames trusted(options);
  const auto list = [](size_t n) { return Repeated(n, "mcp-param-x,"); };
  const auto find = [&](const std::string& names) {
    const RequestHead head{.method = "OPTIONS",
                           .target = "/mcp",
                           .headers = {{"Host", "localhost"},
                                       {"Origin", "http://localhost"},
                                       {"Access-Control-Request-Headers", names}},
                           .content_length = {}};
    EXPECT_TRUE(FindPlace(head, options, trusted).preflight);
  };
  EXPECT_LT(GrowthOf(8, list, find), kLinear);
}

TEST_F(LinearCost, S16ChunksOfOneByte) {
  const HttpLimits limits;
  const auto body = [](size_t n) { return Repeated(n, "1;e\r\nx\r\n") + "0\r\n\r\n"; };
  const auto read = [&](const std::string& bytes) {
    ChunkedBody chunks(limits);
    size_t taken = 0;
    EXPECT_FALSE(chunks.Read(bytes, taken));
    EXPECT_TRUE(chunks.done());
  };
  EXPECT_LT(GrowthOf(10, body, read), kLinear);
}

}  // namespace
}  // namespace ducat::transport
