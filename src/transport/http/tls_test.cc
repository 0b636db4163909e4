// HTTPS as it is on the wire (protocol.md 7.1, 7.8).
#include <gmock/gmock.h>
#include <openssl/ssl.h>

#include "support/http_fixture.h"
#include "support/result_matchers.h"
#include "support/scratch_folder.h"
#include "support/tls_client.h"
#include "transport/http/tls_files.h"

namespace ducat::transport {
namespace {

using std::chrono::seconds;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::HttpClient;
using testing::HttpFixture;
using testing::HttpRequest;
using testing::IsOk;
using testing::MakeCertificate;
using testing::ModernEcho;
using testing::TestCertificate;
using testing::TlsClient;

class Tls : public ::testing::Test {
 protected:
  Tls() {
    Store(MakeCertificate("first"));
    HttpOptions options;
    auto files = Open();
    CHECK(files.has_value());
    options.tls = *std::move(files);
    fixture_ = std::make_unique<HttpFixture>(std::move(options));
  }
  void Store(const TestCertificate& pair) {
    folder_.Write("cert.pem", pair.certificate);
    folder_.Write("key.pem", pair.key);
  }
  Result<std::shared_ptr<TlsFiles>> Open() {
    auto module = LoadCryptoModule(CryptoModulePath());
    CHECK(module.has_value());
    return TlsFiles::Open(folder_.string() + "/cert.pem", folder_.string() + "/key.pem",
                          *std::move(module));
  }
  // Carries bytes until `enough`, or the connection is over.
  static bool Carry(HttpClient& socket, TlsClient& tls, std::string& plain,
                    const std::function<bool()>& enough) {
    for (int turn = 0; turn < 200 && !enough(); ++turn) {
      if (const std::string out = tls.TakeOutput(); !out.empty()) socket.Send(out);
      plain.append(tls.Receive(socket.ReadSome()));
      if (tls.failed()) return enough();
    }
    return enough();
  }
  // A whole handshake.
  static bool Shake(HttpClient& socket, TlsClient& tls) {
    std::string ignored;
    const bool done = Carry(socket, tls, ignored, [&] { return tls.Shake(); });
    socket.Send(tls.TakeOutput());
    return done;
  }
  static std::string Ask(HttpClient& socket, TlsClient& tls, std::string_view request,
                         std::string_view until) {
    std::string plain;
    tls.Write(request);
    Carry(socket, tls, plain, [&] { return plain.find(until) != plain.npos; });
    return plain;
  }

  testing::ScratchFolder folder_;
  std::unique_ptr<HttpFixture> fixture_;
};

TEST_F(Tls, ServesRequestsInBothVersions) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    HttpClient socket(*fixture_);
    TlsClient tls({.version = version});
    ASSERT_TRUE(Shake(socket, tls));
    EXPECT_EQ(tls.version(), version == TLS1_2_VERSION ? "TLSv1.2" : "TLSv1.3");
    EXPECT_EQ(tls.protocol(), "http/1.1");
    EXPECT_EQ(tls.peer_name(), "first");
    EXPECT_THAT(Ask(socket, tls, HttpRequest("GET", "/healthz"), "ok"),
                HasSubstr("HTTP/1.1 200 OK"));
    EXPECT_THAT(Ask(socket, tls, ModernEcho("over TLS"), "over TLS"), HasSubstr("200 OK"));
  }
}

TEST_F(Tls, ManyBytesBothWays) {
  HttpClient socket(*fixture_);
  TlsClient tls;
  ASSERT_TRUE(Shake(socket, tls));
  const std::string text(300'000, 'x');
  const std::string call = testing::ModernPost(
      "tools/call", "big",
      R"("name":"big","arguments":{"bytes":300000,"_ignored":")" + text + "\"}");
  const std::string reply = Ask(socket, tls, call, text);
  EXPECT_THAT(reply.substr(0, 100), HasSubstr("200 OK"));
  EXPECT_NE(reply.find(text), reply.npos);
}

TEST_F(Tls, RefusesOldVersionsAndOtherProtocols) {
  for (const TlsClient::Options& options :
       {TlsClient::Options{.version = TLS1_1_VERSION, .alpn = {}},
        TlsClient::Options{.version = 0, .alpn = "\x02h2"}}) {
    HttpClient socket(*fixture_);
    TlsClient tls(options);
    EXPECT_FALSE(Shake(socket, tls));
    EXPECT_TRUE(tls.failed());
    EXPECT_TRUE(socket.IsClosed());
  }
  HttpClient socket(*fixture_);
  TlsClient no_alpn({.version = 0, .alpn = {}});
  EXPECT_TRUE(Shake(socket, no_alpn));
}

TEST_F(Tls, PlainHttpIsNoHandshake) {
  HttpClient socket(*fixture_);
  socket.Send(HttpRequest("GET", "/healthz"));
  EXPECT_TRUE(socket.IsClosed());
  EXPECT_EQ(fixture_->server->connections(), 0U);
}

TEST_F(Tls, AHandshakeHasTenSeconds) {
  HttpClient slow(*fixture_);
  TlsClient tls;
  const std::string hello = tls.TakeOutput();
  slow.Send(hello.substr(0, 20));
  fixture_->Advance(seconds(9));
  EXPECT_EQ(fixture_->server->connections(), 1U);
  fixture_->Advance(seconds(2));
  EXPECT_EQ(fixture_->server->connections(), 0U);
}

TEST_F(Tls, SaysGoodbyeBeforeItCloses) {
  HttpClient socket(*fixture_);
  TlsClient tls;
  ASSERT_TRUE(Shake(socket, tls));
  const std::string reply =
      Ask(socket, tls, HttpRequest("GET", "/healthz", "Connection: close\r\n"), "ok");
  EXPECT_THAT(reply, HasSubstr("Connection: close"));
  std::string rest;
  EXPECT_TRUE(Carry(socket, tls, rest, [&] { return tls.ended(); }));
}

TEST_F(Tls, ARequestThatEndsTheClientsSideGetsItsAnswer) {
  HttpClient socket(*fixture_);
  TlsClient tls;
  ASSERT_TRUE(Shake(socket, tls));
  tls.Write(HttpRequest("GET", "/healthz"));
  tls.CloseWriting();
  std::string plain;
  EXPECT_TRUE(Carry(socket, tls, plain, [&] { return plain.find("ok") != plain.npos; }));
}

TEST_F(Tls, AChangedByteEndsTheConnection) {
  HttpClient socket(*fixture_);
  TlsClient tls;
  ASSERT_TRUE(Shake(socket, tls));
  tls.Write(HttpRequest("GET", "/healthz"));
  std::string sealed = tls.TakeOutput();
  sealed.back() = static_cast<char>(sealed.back() ^ 1);
  socket.Send(sealed);
  EXPECT_TRUE(socket.IsClosed());
}

TEST_F(Tls, NewFilesAreForNewConnections) {
  HttpClient old_socket(*fixture_);
  TlsClient old_tls;
  ASSERT_TRUE(Shake(old_socket, old_tls));
  Store(MakeCertificate("second"));
  fixture_->Advance(seconds(2));
  HttpClient socket(*fixture_);
  TlsClient tls;
  ASSERT_TRUE(Shake(socket, tls));
  EXPECT_EQ(tls.peer_name(), "second");
  EXPECT_THAT(Ask(old_socket, old_tls, HttpRequest("GET", "/healthz"), "ok"), HasSubstr("200 OK"));
}

TEST_F(Tls, ABrokenPairKeepsTheOldOne) {
  folder_.Write("key.pem", MakeCertificate("other").key);  // half of a change
  fixture_->Advance(seconds(2));
  folder_.Write("cert.pem", "broken");
  fixture_->server->Reload();
  EXPECT_THAT(fixture_->mcp.log_lines, ::testing::Contains(HasSubstr("\"file\":\"tls\"")));
  HttpClient socket(*fixture_);
  TlsClient tls;
  ASSERT_TRUE(Shake(socket, tls));
  EXPECT_EQ(tls.peer_name(), "first");
}

TEST_F(Tls, AnUnusablePairStopsTheStart) {
  const TestCertificate good = MakeCertificate("a");
  Store({.certificate = good.certificate, .key = MakeCertificate("b").key});
  EXPECT_THAT(Open(), FailsWith("invalid_certificate"));
  Store({.certificate = good.key, .key = good.key});
  EXPECT_THAT(Open(), FailsWith("invalid_certificate"));
  Store({.certificate = good.certificate, .key = ""});
  EXPECT_THAT(Open(), FailsWith("invalid_certificate"));
  Store({.certificate = good.certificate + MakeCertificate("above").certificate, .key = good.key});
  EXPECT_THAT(Open(), IsOk());
}

}  // namespace
}  // namespace ducat::transport
