#include "app/settings.h"

#include <map>

#include <gmock/gmock.h>

#include "app/limit_flags.h"
#include "support/result_matchers.h"
#include "support/scratch_folder.h"

namespace ducat::app {
namespace {

using ::testing::AllOf;
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

TEST(Settings, HaveTheDefaultsOfTheSpecification) {
  const auto settings = ResolveSettings({}, Variables({}));
  ASSERT_THAT(settings, IsOk());
  const analyst::AnalystSettings& analyst = settings->analyst;
  EXPECT_EQ(analyst.limits.max_rows, 500);
  EXPECT_EQ(analyst.limits.max_cells, 20'000);
  EXPECT_EQ(analyst.limits.max_bytes, 32'768);
  EXPECT_EQ(analyst.limits.max_cell, 1'000);
  EXPECT_EQ(analyst.timeout, std::chrono::seconds(30));
  EXPECT_EQ(analyst.load_timeout, std::chrono::seconds(600));
  EXPECT_EQ(settings->pool.grace, std::chrono::milliseconds(500));
  EXPECT_EQ(settings->pool.workers, 2);
  EXPECT_EQ(analyst.memory_limit_bytes, uint64_t{2} << 30);
  EXPECT_EQ(analyst.temp_limit_bytes, uint64_t{4} << 30);
  EXPECT_LE(analyst.threads, 4);
  EXPECT_FALSE(analyst.allow_saved_queries);
  EXPECT_EQ(settings->log_level, LogLevel::kInfo);
}

TEST(Settings, TakeTheFlagBeforeItsVariableBeforeTheReferenceServers) {
  const FlagValues flag{{"log-level", {"debug"}}};
  const auto both = Variables({{"DUCAT_LOG_LEVEL", "error"}, {"MCP_LOG_LEVEL", "warn"}});
  EXPECT_EQ(ResolveSettings(flag, both)->log_level, LogLevel::kDebug);
  EXPECT_EQ(ResolveSettings({}, both)->log_level, LogLevel::kError);
  EXPECT_EQ(ResolveSettings({}, Variables({{"MCP_LOG_LEVEL", "WARNING"}}))->log_level,
            LogLevel::kWarning);
}

TEST(Settings, ReadEveryFlagAsAVariable) {
  const auto settings = ResolveSettings({}, Variables({{"DUCAT_DATA", "d"},
                                                       {"DUCAT_MAX_ROWS", "7"},
                                                       {"DUCAT_ALLOW_SAVED_QUERIES", "1"},
                                                       {"DUCAT_TIMEOUT_S", "0.5"},
                                                       {"DUCAT_HOME", "/h"}}));
  ASSERT_THAT(settings, IsOk());
  EXPECT_EQ(settings->analyst.data_dir, "d");
  EXPECT_EQ(settings->analyst.limits.max_rows, 7);
  EXPECT_TRUE(settings->analyst.allow_saved_queries);
  EXPECT_EQ(settings->analyst.timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(settings->home, "/h");
}

TEST(Settings, FindTheHomeDirectoryInOrder) {
  EXPECT_EQ(ResolveSettings({}, Variables({{"XDG_DATA_HOME", "/x"}, {"HOME", "/u"}}))->home,
            "/x/ducat");
  EXPECT_EQ(ResolveSettings({}, Variables({{"HOME", "/u"}}))->home, "/u/.local/share/ducat");
  EXPECT_EQ(ResolveSettings({}, Variables({}))->home, "");
}

TEST(Settings, CollectRepeatedFlags) {
  const auto settings = ResolveSettings({{"include", {"a/*", "b/*"}}}, Variables({}));
  EXPECT_THAT(settings->analyst.scan.include, ElementsAre("a/*", "b/*"));
}

TEST(Settings, WarnAboutExtensionsAndChangeNothing) {
  const auto settings = ResolveSettings({{"allow-extensions", {"true"}}}, Variables({}));
  EXPECT_THAT(settings->warnings, ElementsAre(HasSubstr("--allow-extensions changes nothing")));
}

struct BadValue {
  const char* flag;
  const char* value;
  const char* allowed;
};

class BadSettings : public ::testing::TestWithParam<BadValue> {};

TEST_P(BadSettings, NameTheFlagTheValueAndWhatIsAllowed) {
  const auto [flag, value, allowed] = GetParam();
  const auto by_flag = ResolveSettings({{flag, {value}}}, Variables({}));
  ASSERT_THAT(by_flag, FailsWith("invalid_setting"));
  EXPECT_THAT(by_flag.error().message, HasSubstr("--" + std::string(flag) + " \"" + value + "\""));
  EXPECT_THAT(by_flag.error().message, HasSubstr(allowed));
  const auto by_variable = ResolveSettings({}, Variables({{EnvironmentName(flag), value}}));
  ASSERT_THAT(by_variable, FailsWith("invalid_setting"));
  EXPECT_THAT(by_variable.error().message, HasSubstr(EnvironmentName(flag)));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BadSettings,
    ::testing::Values(BadValue{"max-rows", "0", "a whole number from 1 to 1000000"},
                      BadValue{"max-rows", "1000001", "1000000"},
                      BadValue{"max-rows", "5x", "1 to"}, BadValue{"max-rows", "-1", "1 to"},
                      BadValue{"max-rows", " 5", "1 to"},
                      BadValue{"max-cells", "1e3", "a whole number"},
                      BadValue{"timeout-s", "0.09", "seconds from 0.1 to 3600"},
                      BadValue{"timeout-s", "3601", "3600"}, BadValue{"timeout-s", "nan", "0.1"},
                      BadValue{"memory-limit", "63MiB", "at least 64 MiB"},
                      BadValue{"memory-limit", "2 giga", "2GiB"},
                      BadValue{"memory-limit", "99999999999999999999", "2GiB"},
                      BadValue{"threads", "65", "1 to 64"}, BadValue{"workers", "0", "1 to 64"},
                      BadValue{"sandbox", "off", "auto, strict or best-effort"},
                      BadValue{"result-format", "html", "rows, markdown or both"},
                      BadValue{"transport", "sse", "stdio"},
                      BadValue{"log-level", "loud", "debug, info"},
                      BadValue{"allow-saved-queries", "maybe", "true or false"},
                      BadValue{"grace-ms", "60001", "0 to 60000"}));

TEST(Settings, TakeTheReferenceServersHostAndPort) {
  const auto address = [](FlagValues given) {
    const auto settings = ResolveSettings(given, Variables({{"MCP_HTTP_PORT", "3010"}}));
    return settings.has_value() ? settings->http->address : settings.error().message;
  };
  const FlagValues wanted{{"transport", {"streamable-http"}}};
  EXPECT_EQ(address(wanted), "127.0.0.1:3010");
  FlagValues both = wanted;
  both["host"] = {"::1"};
  both["port"] = {"8000"};
  EXPECT_EQ(address(both), "[::1]:8000");
  both["http"] = {"127.0.0.1:1"};
  EXPECT_EQ(address(both), "127.0.0.1:1");
  FlagValues bad = wanted;
  bad["port"] = {"70000"};
  EXPECT_THAT(address(bad), HasSubstr("--host, --port: \"127.0.0.1:70000\""));
  EXPECT_THAT(address({{"port", {"8000"}}}), HasSubstr("the transport is stdio"));
  // A variable may be set for other programs too.
  EXPECT_THAT(ResolveSettings({}, Variables({{"MCP_HTTP_PORT", "3010"}})), IsOk());
}

// Clients of the reference server know its port.
TEST(Settings, ListenWhereTheReferenceServerDoesWhenToldInItsWords) {
  const auto address = [](const char* transport) {
    return ResolveSettings({{"transport", {transport}}}, Variables({}))->http->address;
  };
  EXPECT_EQ(address("streamable-http"), "127.0.0.1:8000");
  EXPECT_EQ(address("http"), "127.0.0.1:8931");
  FlagValues at{{"transport", {"streamable-http"}}, {"http", {"127.0.0.1:1"}}};
  EXPECT_EQ(ResolveSettings(at, Variables({}))->http->address, "127.0.0.1:1");
  at["http"] = {};
  at["port"] = {"9"};
  EXPECT_EQ(ResolveSettings(at, Variables({}))->http->address, "127.0.0.1:9");
}

TEST(Settings, TakeOneTransportOnly) {
  const Environment http = Variables({{"DUCAT_HTTP", "127.0.0.1:1"}});
  EXPECT_TRUE(ResolveSettings({}, http)->http.has_value());
  EXPECT_FALSE(ResolveSettings({{"transport", {"stdio"}}}, http)->http.has_value());
  const auto both = ResolveSettings({{"transport", {"stdio"}}, {"http", {}}}, http);
  ASSERT_THAT(both, FailsWith("invalid_setting"));
  EXPECT_THAT(both.error().message, HasSubstr("--transport stdio contradicts"));
}

TEST(Settings, RefuseFlagsOfHttpOnStdio) {
  const FlagValues body{{"max-body", {"1MiB"}}};
  const auto stdio = ResolveSettings(body, Variables({{"DUCAT_MAX_BODY", "1MiB"}}));
  ASSERT_THAT(stdio, FailsWith("invalid_setting"));
  EXPECT_THAT(stdio.error().message, HasSubstr("--max-body does nothing on stdio"));
  EXPECT_THAT(ResolveSettings(body, Variables({{"DUCAT_HTTP", "127.0.0.1:1"}})), IsOk());
  EXPECT_THAT(ResolveSettings({}, Variables({{"DUCAT_MAX_BODY", "1MiB"}})), IsOk());
}

TEST(Settings, WarnAboutMisspeltVariables) {
  const std::vector<std::string> names{"DUCAT_MAX_ROW", "DUCAT_MAX_ROWS", "DUCAT_HOME",    "PATH",
                                       "DUCAT_WORKER",  "DUCAT_OTHER_X",  "DUCAT_MAX_BODI"};
  EXPECT_THAT(
      MisspeltVariables(names),
      ElementsAre(AllOf(HasSubstr("DUCAT_MAX_ROW is ignored"), HasSubstr("DUCAT_MAX_ROWS?")),
                  AllOf(HasSubstr("DUCAT_MAX_BODI"), HasSubstr("DUCAT_MAX_BODY?"))));
}

// Every limit of the protocol takes a value, and refuses none at all.
TEST(Settings, HaveAFlagForEveryLimitOfTheProtocol) {
  for (const Flag& flag : kLimitFlags) {
    const std::string name(flag.name);
    EXPECT_THAT(ResolveSettings({{name, {"1024"}}}, Variables({})), IsOk()) << name;
    EXPECT_THAT(ResolveSettings({{name, {"0"}}}, Variables({})), FailsWith("invalid_setting"));
    EXPECT_THAT(ResolveSettings({{name, {"x"}}}, Variables({})), FailsWith("invalid_setting"));
  }
  const auto settings = ResolveSettings({{"limit-calls-per-principal", {"7"}},
                                         {"limit-json-depth", {"9"}},
                                         {"limit-stdio-line", {"2KiB"}}},
                                        Variables({{"DUCAT_LIMIT_BATCH", "3"}}));
  ASSERT_THAT(settings, IsOk());
  EXPECT_EQ(settings->protocol.calls_per_principal_max, 7U);
  EXPECT_EQ(settings->protocol.json.depth_max, 9U);
  EXPECT_EQ(settings->stdio.line_bytes_max, 2'048U);
  EXPECT_EQ(settings->protocol.batch_max, 3U);
  EXPECT_THAT(ResolveSettings({{"limit-json-depth", {"1025"}}}, Variables({})),
              FailsWith("invalid_setting"));
}

TEST(Settings, ReadTheKeyOfOpenQuestions) {
  const testing::ScratchFolder folder;
  folder.Write("at", std::string(32, 'k') + "\n");
  folder.Write("past", std::string(31, 'k') + "\n");
  const std::string at = folder.string() + "/at";
  const std::string past = folder.string() + "/past";
  constexpr std::string_view kFlag = "request-state-key-file";
  EXPECT_EQ(ResolveSettings({{std::string(kFlag), {at}}}, Variables({}))->request_state_key,
            std::string(32, 'k'));
  EXPECT_THAT(ResolveSettings({{std::string(kFlag), {past}}}, Variables({})),
              FailsWith("invalid_setting"));
  EXPECT_THAT(ResolveSettings({{std::string(kFlag), {at + ".none"}}}, Variables({})),
              FailsWith("invalid_setting"));
  const auto of = [](std::string key) {
    return ResolveSettings({}, Variables({{"MCP_REQUEST_STATE_KEY", std::move(key)}}));
  };
  EXPECT_EQ(of(std::string(32, 'e'))->request_state_key, std::string(32, 'e'));
  const auto refused = of("a short secret");
  EXPECT_THAT(refused, FailsWith("invalid_setting"));
  EXPECT_EQ(refused.error().message.find("a short secret"), std::string::npos);
}

TEST(Settings, ReadWhatTheAuditLogNeeds) {
  const testing::ScratchFolder folder;
  folder.Write("key", std::string(32, 'k') + "\n");
  folder.Write("short", std::string(31, 'k'));
  const auto key_file = [&](const char* name) { return folder.string() + "/" + name; };
  const auto settings = ResolveSettings({{"audit-log", {"/var/log/calls.jsonl"}},
                                         {"audit-key-file", {key_file("key")}},
                                         {"audit-required", {"true"}}},
                                        Variables({}));
  ASSERT_THAT(settings, IsOk());
  EXPECT_EQ(settings->audit.path, "/var/log/calls.jsonl");
  EXPECT_EQ(settings->audit.key, std::string(32, 'k'));
  EXPECT_TRUE(settings->audit.required);
  EXPECT_THAT(ResolveSettings({{"audit-log", {"x"}}, {"audit-key-file", {key_file("short")}}},
                              Variables({})),
              FailsWith("invalid_setting"));
  EXPECT_THAT(ResolveSettings({{"audit-required", {"true"}}}, Variables({})),
              FailsWith("invalid_setting"))
      << "without a log";
  EXPECT_THAT(ResolveSettings({{"audit-key-file", {key_file("key")}}}, Variables({})),
              FailsWith("invalid_setting"));
}

TEST(PackFlags, AreNamedOnceAndExplained) {
  std::map<std::string_view, int> names;
  for (const Flag& flag : PackFlags()) {
    EXPECT_EQ(++names[flag.name], 1) << flag.name;
    EXPECT_FALSE(flag.help.empty()) << flag.name;
    EXPECT_NE(flag.apply, nullptr) << flag.name;
  }
}

}  // namespace
}  // namespace ducat::app
