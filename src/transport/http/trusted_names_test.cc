#include "transport/http/trusted_names.h"

#include <gtest/gtest.h>

namespace ducat::transport {
namespace {

TEST(TrustedNames, LoopbackIsAlwaysTrusted) {
  const TrustedNames names({});
  for (const char* host :
       {"localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8931", "[::1]", "[::1]:65535"}) {
    EXPECT_TRUE(names.AllowsHost(host)) << host;
  }
  for (const char* origin :
       {"http://localhost", "https://localhost:3000", "http://127.0.0.1:1", "http://[::1]:5173"}) {
    EXPECT_TRUE(names.AllowsOrigin(origin)) << origin;
  }
}

TEST(TrustedNames, OthersAreNot) {
  const TrustedNames names({});
  for (const char* host : {"",
                           "example.com",
                           "localhost.example.com",
                           "127.0.0.1.example.com",
                           "localhost:",
                           "localhost:80:80",
                           "localhost:x",
                           "localhost:123456",
                           "localhost:65536",
                           "localhost:99999",
                           "localhost:0",
                           "localhost:+80",
                           "[::1]:70000",
                           "user@localhost",
                           "[::1",
                           "[::1]x",
                           "[evil]",
                           "localhost/",
                           "127.0.0.2",
                           "0.0.0.0"}) {
    EXPECT_FALSE(names.AllowsHost(host)) << host;
  }
  for (const char* origin :
       {"", "null", "localhost", "http://", "http://example.com", "http://localhost.example.com",
        "https://localhost@example.com", "http://localhost/", "ftp://localhost", "file://",
        "http://localhost:80:80", "http://localhost:99999", "https://[::1]:65536",
        "http://localhost http://localhost"}) {
    EXPECT_FALSE(names.AllowsOrigin(origin)) << origin;
  }
}

TEST(TrustedNames, NamesOfTheOptionsAreExact) {
  HttpOptions options;
  options.public_url = "https://Data.Example.com/mcp";
  options.allowed_hosts = {"inner", "other:81"};
  options.allowed_origins = {"https://app.example.com"};
  const TrustedNames names(options);
  EXPECT_TRUE(names.AllowsHost("data.example.com"));
  EXPECT_TRUE(names.AllowsHost("data.example.com:443"));
  EXPECT_TRUE(names.AllowsHost("INNER:5"));
  EXPECT_TRUE(names.AllowsHost("other:81"));
  EXPECT_FALSE(names.AllowsHost("other:82"));
  EXPECT_FALSE(names.AllowsHost("x.data.example.com"));
  EXPECT_TRUE(names.AllowsOrigin("https://APP.example.com"));
  EXPECT_FALSE(names.AllowsOrigin("http://app.example.com"));
  EXPECT_FALSE(names.AllowsOrigin("https://app.example.com:8443"));
  EXPECT_FALSE(names.AllowsOrigin("https://data.example.com"));
}

}  // namespace
}  // namespace ducat::transport
