#include "app/http_settings.h"

#include <map>

#include <gmock/gmock.h>

#include "app/settings.h"
#include "support/result_matchers.h"

namespace ducat::app {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

Environment Variables(std::map<std::string, std::string, std::less<>> values) {
  return [values = std::move(values)](std::string_view name) -> std::optional<std::string> {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
}

HttpSettings Resolve(FlagValues given, const Environment& environment = Variables({})) {
  given.try_emplace("http");
  const auto settings = ResolveSettings(given, environment);
  CHECK(settings.has_value() && settings->http.has_value());
  return *settings->http;
}

TEST(HttpSettings, AreThereOnlyWhenHttpIsWanted) {
  EXPECT_FALSE(ResolveSettings({}, Variables({}))->http.has_value());
  EXPECT_EQ(Resolve({}).address, "127.0.0.1:8931");
  EXPECT_TRUE(ResolveSettings({}, Variables({{"MCP_TRANSPORT_TYPE", "http"}}))->http.has_value());
  EXPECT_TRUE(ResolveSettings({{"transport", {"http"}}}, Variables({}))->http.has_value());
  const auto by_variable = ResolveSettings({}, Variables({{"DUCAT_HTTP", "127.0.0.1:1"}}));
  EXPECT_EQ(by_variable->http->address, "127.0.0.1:1");
  // Its flags do nothing on stdio.
  EXPECT_THAT(ResolveSettings({}, Variables({{"DUCAT_MAX_BODY", "nonsense"}})), IsOk());
}

TEST(HttpSettings, ReadWhatTheReferenceServersRead) {
  const HttpSettings http =
      Resolve({}, Variables({{"MCP_HTTP_HOST", "127.0.0.2"},
                             {"MCP_HTTP_PORT", "3010"},
                             {"MCP_HTTP_ENDPOINT_PATH", "/other"},
                             {"MCP_PUBLIC_URL", "https://h.example/mcp"},
                             {"MCP_ALLOWED_ORIGINS", "https://a.example"},
                             {"MCP_SESSION_MODE", "auto"},
                             {"MCP_STATEFUL_SESSION_STALE_TIMEOUT_MS", "5000"},
                             {"MCP_HTTP_MAX_BODY_BYTES", "1048576"}}));
  EXPECT_EQ(http.address, "127.0.0.2:3010");
  EXPECT_EQ(http.options.path, "/other");
  EXPECT_EQ(http.options.public_url, "https://h.example/mcp");
  EXPECT_THAT(http.options.allowed_origins, ElementsAre("https://a.example"));
  EXPECT_TRUE(http.options.stateful);
  EXPECT_EQ(http.options.limits.session_idle, milliseconds(5'000));
  EXPECT_EQ(http.options.limits.body_bytes_max, 1'048'576U);
  EXPECT_EQ(Resolve({{"http", {"unix:/s"}}}, Variables({{"MCP_HTTP_PORT", "1"}})).address,
            "unix:/s");
}

// Every limit: its flag, and a value that arrives where it belongs.
TEST(HttpSettings, EveryLimitHasItsFlag) {
  const transport::HttpLimits limits = Resolve({{"max-body", {"2MiB"}},
                                                {"limit-head-bytes", {"8KiB"}},
                                                {"limit-header-lines", {"50"}},
                                                {"limit-target-bytes", {"1000"}},
                                                {"limit-connections", {"10"}},
                                                {"limit-requests", {"11"}},
                                                {"limit-unsent-bytes", {"64KiB"}},
                                                {"limit-unsent-events", {"12"}},
                                                {"limit-sessions", {"13"}},
                                                {"limit-sessions-per-principal", {"14"}},
                                                {"replay-events", {"15"}},
                                                {"limit-replay-bytes", {"16KiB"}},
                                                {"limit-head-time", {"1s"}},
                                                {"limit-body-time", {"2s"}},
                                                {"limit-body-rate", {"17"}},
                                                {"limit-idle", {"3s"}},
                                                {"limit-stalled-write", {"4s"}},
                                                {"session-idle", {"5min"}},
                                                {"replay-ttl", {"6min"}},
                                                {"drain", {"500ms"}}})
                                           .options.limits;
  EXPECT_EQ(limits.body_bytes_max, size_t{2} << 20U);
  EXPECT_EQ(limits.head_bytes_max, size_t{8} << 10U);
  EXPECT_EQ(limits.header_lines_max, 50U);
  EXPECT_EQ(limits.target_bytes_max, 1'000U);
  EXPECT_EQ(limits.connections_max, 10U);
  EXPECT_EQ(limits.requests_max, 11U);
  EXPECT_EQ(limits.unsent_bytes_max, size_t{64} << 10U);
  EXPECT_EQ(limits.unsent_events_max, 12U);
  EXPECT_EQ(limits.sessions_max, 13U);
  EXPECT_EQ(limits.sessions_per_principal_max, 14U);
  EXPECT_EQ(limits.replay_events_max, 15U);
  EXPECT_EQ(limits.replay_bytes_max, size_t{16} << 10U);
  EXPECT_EQ(limits.head_time, milliseconds(1'000));
  EXPECT_EQ(limits.body_time, milliseconds(2'000));
  EXPECT_EQ(limits.body_rate_min, 17U);
  EXPECT_EQ(limits.idle, milliseconds(3'000));
  EXPECT_EQ(limits.stalled_write, milliseconds(4'000));
  EXPECT_EQ(limits.session_idle, milliseconds(300'000));
  EXPECT_EQ(limits.replay_ttl, milliseconds(360'000));
  EXPECT_EQ(limits.drain, milliseconds(500));
}

TEST(HttpSettings, TakeAnIssuersTokens) {
  const HttpSettings defaults = Resolve({});
  EXPECT_EQ(defaults.auth, AuthMode::kNone);
  EXPECT_EQ(defaults.jwt.limits.cooldown, milliseconds(300'000));
  EXPECT_EQ(defaults.jwt.limits.timeout, milliseconds(5'000));
  EXPECT_EQ(defaults.rate.per_second, 50);
  EXPECT_EQ(defaults.rate.burst, 200);
  const HttpSettings flags = Resolve({{"auth", {"jwt"}},
                                      {"jwt-issuer", {"https://issuer.example"}},
                                      {"jwt-audience", {"https://h.example/mcp"}},
                                      {"jwks", {"https://issuer.example/jwks"}},
                                      {"jwks-cooldown", {"1min"}},
                                      {"jwks-timeout", {"2s"}},
                                      {"rate-limit", {"5/10"}},
                                      {"tls-cert", {"c"}},
                                      {"tls-key", {"k"}}});
  EXPECT_EQ(flags.auth, AuthMode::kJwt);
  EXPECT_EQ(flags.jwt.issuer, "https://issuer.example");
  EXPECT_EQ(flags.jwt.audience, "https://h.example/mcp");
  EXPECT_EQ(flags.jwt.jwks, "https://issuer.example/jwks");
  EXPECT_EQ(flags.jwt.limits.cooldown, milliseconds(60'000));
  EXPECT_EQ(flags.jwt.limits.timeout, milliseconds(2'000));
  EXPECT_EQ(flags.rate.per_second, 5);
  EXPECT_EQ(flags.rate.burst, 10);
  EXPECT_EQ(flags.tls_certificate, "c");
  EXPECT_EQ(flags.tls_key, "k");
}

TEST(HttpSettings, ReadWhatTheReferenceServersReadOfIssuers) {
  const HttpSettings http = Resolve({}, Variables({{"MCP_AUTH_MODE", "oauth"},
                                                   {"MCP_AUTH_SECRET_KEY", "secret"},
                                                   {"MCP_JWT_EXPECTED_ISSUER", "i"},
                                                   {"MCP_SERVER_RESOURCE_IDENTIFIER", "a"},
                                                   {"OAUTH_JWKS_URI", "https://i.example/"},
                                                   {"OAUTH_JWKS_COOLDOWN_MS", "7000"},
                                                   {"OAUTH_JWKS_TIMEOUT_MS", "8000"}}));
  EXPECT_EQ(http.auth, AuthMode::kJwt);
  EXPECT_EQ(http.jwt.secret, "secret");
  EXPECT_EQ(http.jwt.issuer, "i");
  EXPECT_EQ(http.jwt.audience, "a");
  EXPECT_EQ(http.jwt.jwks, "https://i.example/");
  EXPECT_EQ(http.jwt.limits.cooldown, milliseconds(7'000));
  EXPECT_EQ(http.jwt.limits.timeout, milliseconds(8'000));
  const HttpSettings first = Resolve({}, Variables({{"DUCAT_JWT_SECRET", "ours"},
                                                    {"MCP_AUTH_SECRET_KEY", "theirs"},
                                                    {"OAUTH_ISSUER_URL", "i"},
                                                    {"MCP_JWT_EXPECTED_ISSUER", "j"}}));
  EXPECT_EQ(first.jwt.secret, "ours");
  EXPECT_EQ(first.jwt.issuer, "i");
}

TEST(HttpSettings, RefuseWhatIsNotAllowed) {
  const auto refused = [](const std::string& flag, const std::string& value) {
    FlagValues given{{"http", {}}};
    given[flag] = {value};
    const auto settings = ResolveSettings(given, Variables({}));
    return settings.has_value() ? "accepted " + value : settings.error().message;
  };
  EXPECT_THAT(refused("http", "8931"), HasSubstr("--http \"8931\""));
  EXPECT_THAT(refused("http", "example.com:80"), HasSubstr("no address"));
  EXPECT_THAT(refused("max-body", "0"), HasSubstr("--max-body \"0\": expected a size"));
  EXPECT_THAT(refused("max-body", "2GiB"), HasSubstr("at most 1GiB"));
  EXPECT_THAT(refused("path", "mcp"), HasSubstr("/mcp"));
  EXPECT_THAT(refused("path", "/m\"cp"), HasSubstr("/mcp"));
  EXPECT_THAT(refused("public-url", "data.example.com"), HasSubstr("https://"));
  EXPECT_THAT(refused("allowed-origins", "*"), HasSubstr("without a pattern"));
  EXPECT_THAT(refused("allowed-origins", "app.example.com"), HasSubstr("without a pattern"));
  EXPECT_THAT(refused("allowed-hosts", "*.example.com"), HasSubstr("without a pattern"));
  EXPECT_THAT(refused("drain", "soon"), HasSubstr("10s"));
  EXPECT_THAT(refused("drain", "31 h0"), HasSubstr("10s"));
  EXPECT_THAT(refused("limit-idle", "1000h"), HasSubstr("30 days"));
  EXPECT_THAT(refused("auth", "basic"), HasSubstr("none, token, jwt or oauth"));
  EXPECT_THAT(refused("jwks", "http://issuer.example/jwks"), HasSubstr("https URL"));
  for (const char* rate : {"50", "0/5", "5/0", "5/4", "a/b", "5/10/15", "1000001/1000001", ""}) {
    EXPECT_THAT(refused("rate-limit", rate), HasSubstr("RATE/BURST")) << rate;
  }
  EXPECT_THAT(refused("limit-connections", "0"), HasSubstr("whole number from 1"));
  EXPECT_THAT(refused("metrics-listen", "9464"), HasSubstr("--metrics-listen \"9464\""));
}

}  // namespace
}  // namespace ducat::app
