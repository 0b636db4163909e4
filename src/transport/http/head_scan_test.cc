#include "transport/http/head_scan.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

// The kind of fault, "" for none.
std::string Fault(std::string_view head, const HttpLimits& limits = {}) {
  const auto fault = ScanHead(head, limits);
  return fault ? std::string(fault->kind) : "";
}

std::string With(std::string_view lines) {
  return "POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + std::string(lines) + "\r\n";
}

TEST(HeadScan, LetsOrdinaryHeadsPass) {
  EXPECT_EQ(Fault(With("")), "");
  EXPECT_EQ(Fault(With("Content-Length: 5\r\nAccept: a\r\nAccept: b\r\n")), "");
  EXPECT_EQ(Fault(With("Transfer-Encoding: Chunked\r\n")), "");
  EXPECT_EQ(Fault(With("X-Empty:\r\nX-Bytes: \xC3\xA9\r\nX-Tab: a\tb\r\n")), "");
  EXPECT_EQ(Fault("GET / HTTP/1.0\r\nhost: a\r\n\r\n"), "");
}

struct Case {
  std::string name, lines, kind;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}
class Smuggling : public ::testing::TestWithParam<Case> {};

TEST_P(Smuggling, S06IsRefused) {
  EXPECT_EQ(Fault(With(GetParam().lines)), GetParam().kind);
}

INSTANTIATE_TEST_SUITE_P(
    HeadScan, Smuggling,
    ::testing::Values(
        Case{"TwoEqualLengths", "Content-Length: 5\r\nContent-Length: 5\r\n", "duplicate_header"},
        Case{"LengthList", "Content-Length: 5, 5\r\n", "content_length"},
        Case{"LengthWithSign", "Content-Length: +5\r\n", "content_length"},
        Case{"LengthInHex", "Content-Length: 0x5\r\n", "content_length"},
        Case{"EmptyLength", "Content-Length:\r\n", "content_length"},
        Case{"HugeLength", "Content-Length: 9999999999999999999\r\n", "content_length"},
        Case{"LengthAndEncoding", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
             "length_and_encoding"},
        Case{"EncodingAndLength", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
             "length_and_encoding"},
        Case{"UnknownEncoding", "Transfer-Encoding: xchunked\r\n", "transfer_encoding"},
        Case{"EncodingList", "Transfer-Encoding: gzip, chunked\r\n", "transfer_encoding"},
        Case{"TwoEncodings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
             "transfer_encoding"},
        Case{"EncodingWithControl",
             "Transfer-Encoding: \x0B"
             "chunked\r\n",
             "header_value"},
        Case{"FoldedLine", "X-A: 1\r\n 2\r\n", "folded_line"},
        Case{"FoldedWithTab", "Transfer-Encoding:\r\n\tchunked\r\n", "transfer_encoding"},
        Case{"Nul", std::string("X-A: 1\0\r\n", 9), "nul"},
        Case{"BareCr", "X-A: 1\rX-B: 2\r\n", "line_end"},
        Case{"BareLf", "X-A: 1\nX-B: 2\r\n", "line_end"},
        Case{"BlankBeforeColon", "Content-Length : 5\r\n", "header_name"},
        Case{"NoColon", "Content-Length\r\n", "header_name"},
        Case{"EmptyName", ": 5\r\n", "header_name"},
        Case{"TwoHosts", "Host: b\r\n", "duplicate_header"},
        Case{"TwoOrigins", "Origin: a\r\nORIGIN: a\r\n", "duplicate_header"},
        Case{"TwoAuthorizations", "Authorization: a\r\nAuthorization: b\r\n", "duplicate_header"},
        Case{"TwoMcp", "Mcp-Method: a\r\nmcp-method: a\r\n", "duplicate_header"},
        Case{"TwoMcpParams", "Mcp-Param-X: a\r\nMcp-Param-x: b\r\n", "duplicate_header"}),
    [](const auto& info) { return info.param.name; });

TEST(HeadScan, JudgesTheRequestLine) {
  const auto line = [](std::string_view text) {
    return Fault(std::string(text) + "\r\nHost: a\r\n\r\n");
  };
  EXPECT_EQ(line("GET /mcp"), "request_line");
  EXPECT_EQ(line("GET  /mcp HTTP/1.1"), "request_line");
  EXPECT_EQ(line("GET /a b HTTP/1.1"), "request_line");
  EXPECT_EQ(line("G@T /a HTTP/1.1"), "request_line");
  EXPECT_EQ(line("GET http://localhost/mcp HTTP/1.1"), "target_form");
  EXPECT_EQ(line("OPTIONS * HTTP/1.1"), "target_form");
  EXPECT_EQ(line("GET / HTTP/2.0"), "version");
  EXPECT_EQ(ScanHead("GET / HTTP/1.2\r\nHost: a\r\n\r\n", {})->status, 505);
  EXPECT_EQ(line("GET / http/1.1"), "request_line");
  EXPECT_EQ(Fault("GET / HTTP/1.1\r\n\r\n"), "host_missing");
}

// An old proxy in front passes such a body on as the next request (RFC 9112, 6.1).
TEST(HeadScan, S06ChunksAreRefusedInHttp10) {
  const std::string lines = "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Fault("POST /mcp HTTP/1.0\r\n" + lines), "transfer_encoding");
  EXPECT_EQ(Fault("POST /mcp HTTP/1.1\r\n" + lines), "");
}

TEST(HeadScan, LooksAtAsMuchAsHasCome) {
  const auto kind = [](std::string_view part) {
    const auto fault = ScanHeadBytes(part);
    return fault ? std::string(fault->kind) : "";
  };
  for (const char* good :
       {"", "GET", "GET / HTTP/1.1\r", "\r", "GET / HTTP/1.1\r\nHost:", "\r\n\r\n"}) {
    EXPECT_EQ(kind(good), "") << good;
  }
  for (const char* bad : {"\n", "GET /\n", "\rX", "\r\r", "a\r\nb\n"}) {
    EXPECT_EQ(kind(bad), "line_end") << bad;
  }
  EXPECT_EQ(kind(std::string_view("a\0", 2)), "nul");
}

TEST(HeadScan, LimitOfTheTarget) {
  const auto with = [](size_t bytes) {
    return "GET /" + std::string(bytes - 1, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n";
  };
  EXPECT_EQ(Fault(with(2'048)), "");
  EXPECT_EQ(Fault(with(2'049)), "target_too_long");
  EXPECT_EQ(ScanHead(with(2'049), {})->status, 414);
  const HttpLimits small{.target_bytes_max = 10};
  EXPECT_EQ(Fault(with(10), small), "");
  EXPECT_EQ(Fault(with(11), small), "target_too_long");
}

TEST(HeadScan, LimitOfHeaderLines) {
  const auto with = [](size_t lines) {
    std::string out;
    for (size_t i = 1; i < lines; ++i) {
      out.append("X-H: 1\r\n");
    }
    return With(out);
  };
  EXPECT_EQ(Fault(with(100)), "");
  EXPECT_EQ(Fault(with(101)), "header_lines");
  EXPECT_EQ(ScanHead(with(101), {})->status, 431);
}

}  // namespace
}  // namespace ducat::transport
