#include "transport/http/token_file.h"

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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string LineOf(std::string_view token, std::string_view rest) {
  return "sha256:" + Hex(Sha256(token)) + " " + std::string(rest) + "\n";
}

WallTime Day(int year) {
  return std::chrono::sys_days(std::chrono::year(year) / 1 / 1);
}

TEST(TokenFile, ReadsLines) {
  const auto entries = ParseTokens(
      "# people\n\n" +
      LineOf("a", "principal=alice tenant=t1 scopes=fx:read,edgar:* expires=2027-01-01T00:00:00Z") +
      "  " + LineOf("b", "principal=bob\r"));
  ASSERT_THAT(entries, IsOk());
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ(entries->at(0).caller.principal, "alice");
  EXPECT_EQ(entries->at(0).caller.tenant, "t1");
  EXPECT_THAT(entries->at(0).scopes, ElementsAre("fx:read", "edgar:*"));
  EXPECT_EQ(entries->at(0).expires, Day(2027));
  EXPECT_EQ(entries->at(1).caller.tenant, "default");
}

TEST(TokenFile, ReadsTimesBeyondTheClock) {
  const auto entries = ParseTokens(LineOf("a", "principal=a expires=9999-12-31T23:59:59Z") +
                                   LineOf("b", "principal=b expires=0001-01-01T00:00:00Z"));
  ASSERT_THAT(entries, IsOk());
  EXPECT_GT(entries->at(0).expires, Day(2261));
  EXPECT_LT(entries->at(1).expires, Day(1971));
}

TEST(TokenFile, NamesTheBrokenLineWithoutItsSecrets) {
  const std::string good = LineOf("a", "principal=alice");
  for (const std::string& line :
       {std::string("alice"), std::string("sha256:12 principal=a"), "md5:" + good.substr(7),
        LineOf("a", ""), LineOf("a", "tenant=t"), LineOf("a", "principal="),
        LineOf("a", "principal=a expires=soon"), LineOf("a", "principal=a colour=red"),
        LineOf("a", "principal=a expires=2027-02-30T00:00:00Z"),
        "sha256:" + std::string(64, 'g') + " principal=a"}) {
    const auto broken = ParseTokens(good + line);
    ASSERT_THAT(broken, FailsWith("invalid_token_file")) << line;
    EXPECT_THAT(broken.error().message, HasSubstr("line 2"));
    EXPECT_THAT(broken.error().message, Not(HasSubstr(Hex(Sha256("a")))));
  }
}

TEST(TokenFile, ALineThatContradictsIsBroken) {
  const std::string good = LineOf("a", "principal=alice tenant=t1");
  for (const auto& [line, why] : std::vector<std::pair<std::string, const char*>>{
           {LineOf("b", "principal=alice principal=bob"), "principal= is there twice"},
           {LineOf("b", "principal=bob scopes=a scopes=b"), "scopes= is there twice"},
           {LineOf("b", "principal=bob scopes=a,,b"), "comma too many"},
           {LineOf("b", "principal=bob scopes=a,"), "comma too many"},
           {LineOf("a", "principal=mallory"), "the same token"},
           {LineOf("b", "principal=alice tenant=t2"), "is of tenant=t1 already"},
           {LineOf("b", "principal=alice"), "is of tenant=t1 already"}}) {
    const auto broken = ParseTokens(good + line);
    ASSERT_THAT(broken, FailsWith("invalid_token_file")) << line;
    EXPECT_THAT(broken.error().message, HasSubstr(why));
    EXPECT_THAT(broken.error().message, HasSubstr("line 2"));
  }
  EXPECT_THAT(ParseTokens(good + LineOf("b", "principal=alice tenant=t1")), IsOk());
}

TEST(TokenFile, FindsWhoseTokenItIs) {
  testing::ScratchFolder folder;
  folder.Write("tokens", LineOf("a", "principal=alice") +
                             LineOf("b", "principal=bob expires=2027-01-01T00:00:00Z"));
  auto file = TokenFile::Open(folder.string() + "/tokens");
  ASSERT_THAT(file, IsOk());
  EXPECT_EQ(file->Find("a", Day(2030))->principal, "alice");
  EXPECT_EQ(file->Find("b", Day(2026))->principal, "bob");
  EXPECT_FALSE(file->Find("b", Day(2027)).has_value());
  EXPECT_FALSE(file->Find("c", Day(2026)).has_value());
  EXPECT_FALSE(file->Find("", Day(2026)).has_value());
}

TEST(TokenFile, S29ABrokenFileKeepsTheOldState) {
  testing::ScratchFolder folder;
  folder.Write("tokens", LineOf("a", "principal=alice"));
  const std::string path = folder.string() + "/tokens";
  auto file = TokenFile::Open(path);
  ASSERT_THAT(file, IsOk());
  EXPECT_FALSE(*file->Reload(false));
  folder.Write("tokens", "nonsense that is longer");
  EXPECT_THAT(file->Reload(false), FailsWith("invalid_token_file"));
  EXPECT_TRUE(file->Find("a", Day(2026)).has_value());
  EXPECT_FALSE(*file->Reload(false));  // told once
  folder.Write("tokens", LineOf("b", "principal=bob"));
  EXPECT_TRUE(*file->Reload(false));
  EXPECT_FALSE(file->Find("a", Day(2026)).has_value());
  EXPECT_TRUE(file->Find("b", Day(2026)).has_value());
  ::unlink(path.c_str());
  EXPECT_FALSE(*file->Reload(false));
  EXPECT_TRUE(file->Find("b", Day(2026)).has_value());
}

TEST(TokenFile, RefusesAFileThatOthersMayWrite) {
  testing::ScratchFolder folder;
  folder.Write("tokens", LineOf("a", "principal=alice"));
  const std::string path = folder.string() + "/tokens";
  ::chmod(path.c_str(), 0620);
  EXPECT_THAT(TokenFile::Open(path), FailsWith("invalid_token_file"));
  ::chmod(path.c_str(), 0602);
  EXPECT_THAT(TokenFile::Open(path), FailsWith("invalid_token_file"));
  ::chmod(path.c_str(), 0644);
  EXPECT_THAT(TokenFile::Open(path), IsOk());
  EXPECT_THAT(TokenFile::Open(folder.string()), FailsWith("invalid_token_file"));
  EXPECT_THAT(TokenFile::Open(path + "x"), FailsWith("invalid_token_file"));
}

TEST(TokenFile, MakesTokensThatItReads) {
  const std::string token = NewToken();
  EXPECT_EQ(token.size(), 4U + 43U);
  EXPECT_NE(token, NewToken());
  const auto line = TokenLine(
      token,
      {.caller = {.principal = "alice", .tenant = "t"}, .scopes = {"a", "b:*"}, .expires = {}});
  ASSERT_THAT(line, IsOk());
  EXPECT_THAT(*line, Not(HasSubstr(token)));
  EXPECT_EQ(ParseTokens(*line)->front().digest, Sha256(token));
  EXPECT_THAT(TokenLine(token, {.caller = {.principal = "a b"}, .scopes = {}, .expires = {}}),
              FailsWith("invalid_setting"));
  EXPECT_THAT(TokenLine(token, {.caller = {.principal = "a\nb"}, .scopes = {}, .expires = {}}),
              FailsWith("invalid_setting"));
}

}  // namespace
}  // namespace ducat::transport
