#include "transport/http/listen_address.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

TEST(ListenAddress, ReadsHostsAndPorts) {
  const auto address = ParseListenAddress("127.0.0.1:8931");
  ASSERT_THAT(address, IsOk());
  EXPECT_EQ(address->host, "127.0.0.1");
  EXPECT_EQ(address->port, 8931);
  EXPECT_EQ(ParseListenAddress("localhost:0")->host, "127.0.0.1");
  EXPECT_EQ(ParseListenAddress("[::1]:80")->host, "::1");
  EXPECT_EQ(ParseListenAddress("unix:/run/d.sock")->unix_path, "/run/d.sock");
  for (const char* text :
       {"", "8931", ":8931", "localhost", "localhost:", "localhost:x", "localhost:70000",
        "example.com:1", "::1:80", "[127.0.0.1]:1", "unix:", "1.2.3:4"}) {
    EXPECT_THAT(ParseListenAddress(text), FailsWith("invalid_setting")) << text;
  }
}

TEST(ListenAddress, KnowsLoopback) {
  EXPECT_TRUE(ParseListenAddress("127.0.0.1:1")->is_loopback());
  EXPECT_TRUE(ParseListenAddress("127.1.2.3:1")->is_loopback());
  EXPECT_TRUE(ParseListenAddress("[::1]:1")->is_loopback());
  EXPECT_TRUE(ParseListenAddress("unix:/s")->is_loopback());
  EXPECT_FALSE(ParseListenAddress("0.0.0.0:1")->is_loopback());
  EXPECT_FALSE(ParseListenAddress("[::]:1")->is_loopback());
  EXPECT_FALSE(ParseListenAddress("10.0.0.1:1")->is_loopback());
}

TEST(ListenAddress, OpensAPortOnceOnly) {
  const auto first = OpenListener(*ParseListenAddress("127.0.0.1:0"));
  ASSERT_THAT(first, IsOk());
  const uint16_t port = BoundPort(*first);
  EXPECT_GT(port, 0);
  EXPECT_THAT(OpenListener({.host = "127.0.0.1", .port = port, .unix_path = {}}),
              FailsWith("address_in_use"));
  EXPECT_THAT(OpenListener(*ParseListenAddress("192.0.2.1:0")), FailsWith("address_unavailable"));
  ::close(*first);
}

TEST(ListenAddress, S04UnixSocketsAreForTheirOwner) {
  const testing::ScratchFolder folder;
  const std::string path = folder.string() + "/d.sock";
  const ListenAddress address{.host = {}, .unix_path = path};
  const auto first = OpenListener(address);
  ASSERT_THAT(first, IsOk());
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  // Somebody accepts on it: it stays theirs.
  EXPECT_THAT(OpenListener(address), FailsWith("address_in_use"));
  ::close(*first);
  const auto second = OpenListener(address);  // stale: replaced
  EXPECT_THAT(second, IsOk());
  ::close(*second);
}

TEST(ListenAddress, NeverReplacesAFileThatIsNoSocket) {
  testing::ScratchFolder folder;
  folder.Write("d.sock", "precious");
  EXPECT_THAT(OpenListener({.host = {}, .unix_path = folder.string() + "/d.sock"}),
              FailsWith("address_in_use"));
  EXPECT_THAT(OpenListener({.host = {}, .unix_path = "/" + std::string(200, 'x')}),
              FailsWith("address_unavailable"));
}

}  // namespace
}  // namespace ducat::transport
