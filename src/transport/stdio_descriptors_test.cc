#include "transport/stdio_descriptors.h"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "support/result_matchers.h"

namespace ducat::transport {
namespace {

using ::ducat::testing::FailsWith;
using ::ducat::testing::IsOk;

bool IsNonBlocking(int fd) {
  return (::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0;
}
bool IsCloseOnExec(int fd) {
  return (::fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

TEST(PrivateDescriptor, OpensAPipeAnewAndLeavesTheSharedFlagsAlone) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const auto in = PrivateDescriptor(pipe[0], false);
  const auto out = PrivateDescriptor(pipe[1], true);
  ASSERT_THAT(in, IsOk());
  ASSERT_THAT(out, IsOk());
  EXPECT_TRUE(IsNonBlocking(*in));
  EXPECT_TRUE(IsNonBlocking(*out));
  EXPECT_TRUE(IsCloseOnExec(*in));
  EXPECT_FALSE(IsNonBlocking(pipe[0])) << "the shell's own descriptor";
  EXPECT_FALSE(IsNonBlocking(pipe[1]));
  EXPECT_EQ(::write(*out, "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(*in, &byte, 1), 1);
  for (const int fd : {pipe[0], pipe[1], *in, *out})
    ::close(fd);
}

TEST(PrivateDescriptor, UsesASocketAsItIs) {
  std::array<int, 2> sockets{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()), 0);
  const auto own = PrivateDescriptor(sockets[0], false);
  ASSERT_THAT(own, IsOk());
  EXPECT_TRUE(IsNonBlocking(*own));
  EXPECT_EQ(::write(sockets[1], "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(::read(*own, &byte, 1), 1);
  for (const int fd : {sockets[0], sockets[1], *own})
    ::close(fd);
}

TEST(PrivateDescriptor, KeepsThePlaceInARegularFile) {
  char path[] = "/tmp/ducat_stdio_XXXXXX";
  const int file = ::mkstemp(path);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "abc", 3), 3);
  ::lseek(file, 1, SEEK_SET);
  const auto own = PrivateDescriptor(file, false);
  ASSERT_THAT(own, IsOk());
  char byte = 0;
  EXPECT_EQ(::read(*own, &byte, 1), 1);
  EXPECT_EQ(byte, 'b');
  ::close(*own);
  ::close(file);
  ::unlink(path);
}

TEST(PrivateDescriptor, FailsOnAClosedOne) {
  EXPECT_THAT(PrivateDescriptor(1'000, false), FailsWith("stdio_unavailable"));
}

// In a child, because it gives fd 0 and fd 1 away.
TEST(ClaimStdio, SendsStrayPrintsToStderr) {
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  std::array<int, 2> err{};
  ASSERT_EQ(::pipe(in.data()) | ::pipe(out.data()) | ::pipe(err.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(in[0], 0);
    ::dup2(out[1], 1);
    ::dup2(err[1], 2);
    const auto claimed = ClaimStdio();
    if (!claimed) ::_exit(1);
    // What a library might do.
    static_cast<void>(::write(1, "stray", 5));
    char byte = 0;
    const bool nothing_to_read = ::read(0, &byte, 1) == 0;
    static_cast<void>(::write(claimed->output, "protocol", 8));
    ::_exit(nothing_to_read && claimed->output > 2 && claimed->input > 2 ? 0 : 2);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  std::array<char, 64> buffer{};
  EXPECT_EQ(
      std::string(buffer.data(), static_cast<size_t>(::read(out[0], buffer.data(), buffer.size()))),
      "protocol");
  EXPECT_EQ(
      std::string(buffer.data(), static_cast<size_t>(::read(err[0], buffer.data(), buffer.size()))),
      "stray");
  for (const auto& pair : {in, out, err}) {
    ::close(pair[0]);
    ::close(pair[1]);
  }
}

}  // namespace
}  // namespace ducat::transport
