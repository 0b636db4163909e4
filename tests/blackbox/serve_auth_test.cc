// Issuers' tokens, certificates and SIGHUP, by the real executable (protocol.md 7.8, 8).
#include <array>
#include <chrono>
#include <csignal>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "ducat_process.h"
#include "http_exchange.h"
#include "support/canned_server.h"
#include "support/jwt_signer.h"
#include "support/tls_client.h"

namespace ducat::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Payload(std::string_view scope) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto end = std::chrono::duration_cast<std::chrono::seconds>(now).count() + 3'600;
  return R"({"iss":"https://issuer.example","aud":"https://h.example/mcp","sub":"alice",)"
         R"("scope":")" +
         std::string(scope) + R"(","exp":)" + std::to_string(end) + "}";
}

std::string Bearer(const std::string& token) {
  return "Authorization: Bearer " + token + "\r\n";
}

class ServeAuth : public ::testing::Test {
 protected:
  void SetUp() override { data_.Write("orders.csv", "id,amount\n1,2.5\n2,4.0\n"); }
  std::vector<std::string> Command(std::vector<std::string> more) {
    std::vector<std::string> all{"serve", "--http", "127.0.0.1:0", "--data", data_.string()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  std::vector<std::string> JwtCommand(std::vector<std::string> more) {
    more.insert(more.end(), {"--auth", "jwt", "--jwt-issuer", "https://issuer.example",
                             "--public-url", "https://h.example/mcp"});
    return Command(std::move(more));
  }
  std::string file(const std::string& name) { return folder_.string() + "/" + name; }
  // Until the server has said so, at most ten seconds.
  static bool Says(DucatProcess& server, std::string_view what) {
    for (int tries = 0; tries < 100; ++tries) {
      if (server.Errors().find(what) != std::string::npos) return true;
      ::usleep(100'000);
    }
    return false;
  }

  ScratchFolder data_;
  ScratchFolder folder_;
};

TEST_F(ServeAuth, TakesTokensOfAnIssuerOnLoopback) {
  const JwtSigner signer = JwtSigner::Rsa();
  CannedServer issuer(CannedReply("200 OK", Jwks(signer.Jwk("k1"))));
  DucatProcess server(JwtCommand({"--jwks", issuer.url("/jwks")}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  const std::string head = R"({"alg":"RS256","kid":"k1"})";
  const std::string good = signer.Token(head, Payload("analyst:read"));
  EXPECT_THAT(CallTool(port, "list_tables", "{}", Bearer(good)), HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(CallTool(port, "list_tables", "{}", Bearer(signer.Token(head, Payload("fx:read")))),
              HasSubstr("error=\"insufficient_scope\", scope=\"analyst:read\""));
  EXPECT_THAT(CallTool(port, "list_tables", "{}"), HasSubstr("HTTP/1.1 401"));
  EXPECT_THAT(Exchange(port,
                       "GET /.well-known/oauth-protected-resource/mcp HTTP/1.0\r\n"
                       "Host: localhost\r\n\r\n"),
              HasSubstr(R"("scopes_supported":["analyst:read"])"));
  EXPECT_THAT(server.Errors(), Not(HasSubstr(good.substr(good.rfind('.') + 1))));
}

TEST_F(ServeAuth, SighupReadsASecretAndKeepsItWhenTheNewOneIsBroken) {
  const std::string first(40, 'a');
  const std::string second(40, 'b');
  folder_.Write("secret", first);
  DucatProcess server(JwtCommand({"--jwt-key-file", file("secret")}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  const auto call = [&](const std::string& secret) {
    const std::string token = HmacToken(secret, R"({"alg":"HS256"})", Payload("analyst:read"));
    return CallTool(port, "list_tables", "{}", Bearer(token));
  };
  EXPECT_THAT(call(first), HasSubstr("HTTP/1.1 200 OK"));
  folder_.Write("secret", "broken");
  server.Signal(SIGHUP);
  ASSERT_TRUE(Says(server, "a file is broken, the old state holds")) << server.Errors();
  EXPECT_THAT(call(first), HasSubstr("HTTP/1.1 200 OK"));
  folder_.Write("secret", second);
  server.Signal(SIGHUP);
  ASSERT_TRUE(Says(server, "a file was read again")) << server.Errors();
  EXPECT_THAT(call(first), HasSubstr("HTTP/1.1 401"));
  EXPECT_THAT(call(second), HasSubstr("HTTP/1.1 200 OK"));
}

// The name in the certificate that a new connection is shown; `answer` gets what /healthz says.
std::string AskOverTls(int port, std::string& answer) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  TlsClient tls;
  std::array<char, 16'384> chunk{};
  bool asked = false;
  ssize_t got = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  while (got > 0 && !tls.failed() && !tls.ended()) {
    if (tls.Shake() && !asked) {
      tls.Write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      asked = true;
    }
    const std::string out = tls.TakeOutput();
    static_cast<void>(::send(fd, out.data(), out.size(), MSG_NOSIGNAL));
    got = ::recv(fd, chunk.data(), chunk.size(), 0);
    if (got > 0) answer.append(tls.Receive({chunk.data(), static_cast<size_t>(got)}));
  }
  ::close(fd);
  return tls.peer_name();
}

TEST_F(ServeAuth, ServesHttpsAndTakesANewCertificateAtSighup) {
  const auto store = [this](const TestCertificate& pair) {
    folder_.Write("cert.pem", pair.certificate);
    folder_.Write("key.pem", pair.key);
  };
  store(MakeCertificate("first"));
  DucatProcess server(Command({"--tls-cert", file("cert.pem"), "--tls-key", file("key.pem")}));
  const int port = PortOf(server);
  ASSERT_GT(port, 0) << server.Errors();
  EXPECT_THAT(server.Errors(), HasSubstr("https://127.0.0.1"));
  std::string answer;
  EXPECT_EQ(AskOverTls(port, answer), "first");
  EXPECT_THAT(answer, HasSubstr(R"({"status":"ok"})"));
  folder_.Write("key.pem", "broken");
  server.Signal(SIGHUP);
  ASSERT_TRUE(Says(server, "a file is broken, the old state holds")) << server.Errors();
  EXPECT_EQ(AskOverTls(port, answer), "first");
  store(MakeCertificate("second"));
  server.Signal(SIGHUP);
  ASSERT_TRUE(Says(server, "a file was read again")) << server.Errors();
  EXPECT_EQ(AskOverTls(port, answer), "second");
}

TEST_F(ServeAuth, AWrongConfigurationStopsTheStart) {
  folder_.Write("secret", "short");
  struct Case {
    std::vector<std::string> flags;
    const char* says;
  };
  const std::vector<Case> cases = {
      {{"--auth", "jwt"}, "no key to check tokens with"},
      {{"--token-file", file("secret")}, "there is no --auth"},
      {{"--jwt-issuer", "https://issuer.example"}, "there is no --auth"},
      {{"--auth", "jwt", "--jwks", "a", "--jwt-key-file", "b"}, "more than one source"},
      {{"--auth", "jwt", "--jwks", "http://issuer.example/jwks"}, "https URL"},
      {{"--auth", "jwt", "--jwt-key-file", file("secret")}, "--jwt-issuer"},
      {{"--auth", "jwt", "--jwt-key-file", file("secret"), "--jwt-issuer", "i"}, "--public-url"},
      {{"--auth", "jwt", "--jwt-key-file", file("secret"), "--jwt-issuer", "i", "--jwt-audience",
        "a"},
       "at least 32 bytes"},
      {{"--tls-cert", file("secret")}, "--tls-key"},
      {{"--tls-cert", file("secret"), "--tls-key", file("secret")}, "TLS certificate"},
      {{"--rate-limit", "50"}, "50/200"}};
  for (const Case& each : cases) {
    const Finished ended = RunDucat(Command(each.flags));
    EXPECT_EQ(ended.exit_code, 2) << each.says;
    EXPECT_THAT(ended.err, HasSubstr(each.says));
  }
}

}  // namespace
}  // namespace ducat::testing
