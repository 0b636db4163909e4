#include "transport/http/jwt/jwks_url.h"

#include <gmock/gmock.h>

#include "support/jwt_signer.h"
#include "support/result_matchers.h"

namespace ducat::transport {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::JwtSigner;

// Answers when the test says so.
class HeldClient final : public fetch::HttpClient {
 public:
  struct Held {
    int begun = 0;
    fetch::GetRequest last;
    std::function<void(const Result<std::string>&)> done;
  };
  explicit HeldClient(Held& held) : held_(held) {}
  void Get(fetch::GetRequest request,
           std::function<void(const Result<std::string>&)> done) override {
    ++held_.begun;
    held_.last = std::move(request);
    held_.done = std::move(done);
  }

 private:
  Held& held_;
};

class JwksUrlTest : public ::testing::Test {
 protected:
  JwksUrlTest() {
    auto module = LoadCryptoModule(CryptoModulePath());
    CHECK(module.has_value());
    JwksUrl::Parts parts{.url = "https://issuer.example/jwks",
                         .limits = {},
                         .module = *std::move(module),
                         .client = std::make_unique<HeldClient>(upstream_)};
    keys_ = std::make_unique<JwksUrl>(std::move(parts), log_);
  }
  // Whether there is something to wait for.
  bool Refresh(bool missing) {
    return keys_->Refresh(missing, now_, [this] { ++woken_; });
  }
  void Answer(const Result<std::string>& text) { std::exchange(upstream_.done, nullptr)(text); }
  size_t count() { return keys_->Current(now_).size(); }
  std::string OneKey() { return testing::Jwks(signer_.Jwk("k")); }
  static Failure Down() { return Fail(ErrorCode::kUnavailable, "fetch_failed", "it is down"); }

  JwtSigner signer_ = JwtSigner::Ec();
  std::vector<std::string> lines_;
  ManualClock clock_;
  Log log_{clock_, {.level = LogLevel::kDebug, .sink = [this](std::string_view line) {
                      lines_.emplace_back(line);
                    }}};
  HeldClient::Held upstream_;
  std::unique_ptr<JwksUrl> keys_;
  MonotonicTime now_{hours(1'000)};
  int woken_ = 0;
};

TEST_F(JwksUrlTest, OneFetchForAllWhoWait) {
  EXPECT_EQ(count(), 0U);
  EXPECT_TRUE(Refresh(true));
  EXPECT_TRUE(Refresh(true));
  EXPECT_TRUE(Refresh(false));
  EXPECT_EQ(upstream_.begun, 1);
  EXPECT_EQ(upstream_.last.url, "https://issuer.example/jwks");
  EXPECT_EQ(upstream_.last.timeout, seconds(5));
  EXPECT_EQ(upstream_.last.bytes_max, size_t{1} << 20U);
  EXPECT_EQ(woken_, 0);
  Answer(OneKey());
  EXPECT_EQ(woken_, 3);
  EXPECT_EQ(count(), 1U);
  EXPECT_FALSE(Refresh(false));
}

TEST_F(JwksUrlTest, UnknownKeysCauseOneFetchPerCoolDown) {
  EXPECT_TRUE(Refresh(true));
  Answer(OneKey());
  now_ += seconds(299);
  EXPECT_FALSE(Refresh(true));
  EXPECT_EQ(upstream_.begun, 1);
  now_ += seconds(1);
  EXPECT_TRUE(Refresh(true));
  EXPECT_EQ(upstream_.begun, 2);
}

TEST_F(JwksUrlTest, NewerOnesAreWantedAfterTenMinutes) {
  EXPECT_TRUE(Refresh(false));
  Answer(OneKey());
  const uint64_t version = keys_->version();
  now_ += minutes(10) - seconds(1);
  EXPECT_FALSE(Refresh(false));
  now_ += seconds(1);
  EXPECT_TRUE(Refresh(false));
  Answer(OneKey());
  EXPECT_NE(keys_->version(), version);
  EXPECT_FALSE(Refresh(false));
}

TEST_F(JwksUrlTest, OldKeysHoldForADayWhileFetchesFail) {
  EXPECT_TRUE(Refresh(true));
  Answer(OneKey());
  now_ += hours(24) - seconds(1);
  EXPECT_TRUE(Refresh(false));
  Answer(Down());
  EXPECT_EQ(woken_, 2);
  EXPECT_EQ(count(), 1U);
  EXPECT_THAT(lines_.back(), HasSubstr("it is down"));
  now_ += seconds(1);
  EXPECT_EQ(count(), 0U);
}

TEST_F(JwksUrlTest, BrokenAnswersKeepTheOldKeys) {
  EXPECT_TRUE(Refresh(true));
  Answer(OneKey());
  for (const char* broken : {"<html>", R"({"keys":[]})"}) {
    now_ += minutes(10);
    EXPECT_TRUE(Refresh(false));
    Answer(std::string(broken));
    EXPECT_EQ(count(), 1U);
  }
}

TEST_F(JwksUrlTest, TriesAgainSoonWhileThereAreNone) {
  EXPECT_TRUE(Refresh(true));
  Answer(Down());
  now_ += seconds(9);
  EXPECT_FALSE(Refresh(true));
  now_ += seconds(1);
  EXPECT_TRUE(Refresh(true));
  EXPECT_EQ(upstream_.begun, 2);
}

TEST_F(JwksUrlTest, ReloadingFetchesAtOnce) {
  EXPECT_TRUE(Refresh(true));
  Answer(OneKey());
  EXPECT_FALSE(keys_->Reload(false, now_).value());
  EXPECT_EQ(upstream_.begun, 1);
  EXPECT_FALSE(keys_->Reload(true, now_).value());
  EXPECT_EQ(upstream_.begun, 2);
}

TEST(JwksUrlSetting, IsSecureOrLocal) {
  for (const char* good : {"https://issuer.example/jwks", "https://issuer.example:8443/a",
                           "http://127.0.0.1:9/jwks", "http://localhost/jwks", "http://[::1]:1/"}) {
    EXPECT_THAT(CheckJwksUrl(good), IsOk()) << good;
  }
  for (const char* bad : {"http://issuer.example/jwks", "http://127.0.0.1.evil.example/",
                          "http://localhost@evil.example/", "ftp://127.0.0.1/", "https://", "file",
                          "https://a b/", "http://10.0.0.1/"}) {
    EXPECT_THAT(CheckJwksUrl(bad), FailsWith("invalid_setting")) << bad;
  }
}

}  // namespace
}  // namespace ducat::transport
