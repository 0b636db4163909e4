#include "transport/http/token_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ids.h"
#include "base/text.h"

namespace ducat::transport {
namespace {

constexpr std::string_view kHashPrefix = "sha256:";
constexpr std::string_view kTokenPrefix = "dct_";

Failure Broken(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_token_file", std::move(message),
              "ducat token new --principal NAME prints a token and its line.");
}

// The next word of a line, taken off its start.
std::string_view TakeWord(std::string_view& line) {
  line = Trim(line);
  const size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::optional<Digest> ParseHash(std::string_view word) {
  Digest digest{};
  if (!word.starts_with(kHashPrefix)) return std::nullopt;
  word.remove_prefix(kHashPrefix.size());
  if (word.size() != 2 * digest.size()) return std::nullopt;
  for (size_t i = 0; i < digest.size(); ++i) {
    const char* at = word.data() + 2 * i;
    const auto [end, error] = std::from_chars(at, at + 2, digest[i], 16);
    if (error != std::errc() || end != at + 2) return std::nullopt;
  }
  return digest;
}

// "2027-01-01T00:00:00Z" and nothing else.
std::optional<WallTime> ParseTime(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != kForm.size()) return std::nullopt;
  for (size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == 'd' ? !IsAsciiDigit(text[i]) : text[i] != kForm[i]) return std::nullopt;
  }
  const auto number = [text](size_t at, size_t size) {
    int value = 0;
    std::from_chars(text.data() + at, text.data() + at + size, value);
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  if (!day.ok() || number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) {
    return std::nullopt;
  }
  // The clock's nanoseconds hold about three centuries; whatever lies beyond has passed, or never
  // will.
  if (day.year() < std::chrono::year(1970)) return WallTime();
  if (day.year() > std::chrono::year(2261)) return WallTime::max();
  return std::chrono::sys_days(day) + std::chrono::hours(number(11, 2)) +
         std::chrono::minutes(number(14, 2)) + std::chrono::seconds(number(17, 2));
}

bool IsName(std::string_view text) {
  constexpr size_t kNameMax = 128;
  return !text.empty() && text.size() <= kNameMax && std::ranges::all_of(text, [](char c) {
    return c > 0x20 && c < 0x7F && c != '"' && c != '\\' && c != '#';
  });
}

// Nothing for "a,,b" and "a,": somebody meant something there.
std::optional<std::vector<std::string>> SplitScopes(std::string_view text) {
  std::vector<std::string> scopes;
  while (true) {
    const size_t end = std::min(text.find(','), text.size());
    if (end == 0) return std::nullopt;
    scopes.emplace_back(text.substr(0, end));
    if (end == text.size()) return scopes;
    text.remove_prefix(end + 1);
  }
}

// One "name=value" of a line; the sentence says what is wrong, empty for nothing.
std::string ApplyField(std::string_view word, TokenEntry& entry) {
  const size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals);
  const std::string_view value = equals == word.npos ? "" : word.substr(equals + 1);
  if (name == "principal" && IsName(value)) {
    entry.caller.principal = value;
  } else if (name == "tenant" && IsName(value)) {
    entry.caller.tenant = value;
  } else if (name == "scopes" && IsName(value)) {
    auto scopes = SplitScopes(value);
    if (!scopes) return "scopes has a comma too many";
    entry.scopes = *std::move(scopes);
  } else if (name == "expires") {
    entry.expires = ParseTime(value);
    if (!entry.expires) return "expires must look like 2027-01-01T00:00:00Z";
  } else {
    return "expected principal=, tenant=, scopes= or expires=, each with a value";
  }
  return "";
}

Result<TokenEntry> ParseLine(std::string_view line, size_t number) {
  const auto broken = [number](const std::string& why) {
    return Broken("Token file, line " + std::to_string(number) + ": " + why);
  };
  TokenEntry entry;
  entry.caller.principal.clear();
  const auto digest = ParseHash(TakeWord(line));
  if (!digest) return broken("it must begin with sha256: and 64 hexadecimal digits");
  entry.digest = *digest;
  std::vector<std::string_view> names;
  for (std::string_view word = TakeWord(line); !word.empty(); word = TakeWord(line)) {
    const std::string_view name = word.substr(0, word.find('='));
    if (std::ranges::find(names, name) != names.end()) {
      return broken(std::string(name) + "= is there twice");
    }
    names.push_back(name);
    if (std::string why = ApplyField(word, entry); !why.empty()) return broken(why);
  }
  if (entry.caller.principal.empty()) return broken("principal= is missing");
  return entry;
}

// What a line may not say after those before it: a token is one caller's, and a principal, who owns
// sessions and tasks, is of one tenant.
std::string Contradiction(const std::vector<TokenEntry>& entries, const TokenEntry& entry) {
  for (const TokenEntry& known : entries) {
    if (known.digest == entry.digest) return "the same token is there already";
    if (known.caller.principal == entry.caller.principal &&
        known.caller.tenant != entry.caller.tenant) {
      return "principal=" + entry.caller.principal + " is of tenant=" + known.caller.tenant +
             " already";
    }
  }
  return "";
}

}  // namespace

Result<std::vector<TokenEntry>> ParseTokens(std::string_view text) {
  std::vector<TokenEntry> entries;
  size_t number = 0;
  while (!text.empty()) {
    ++number;
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    TRY_ASSIGN(TokenEntry entry, ParseLine(line, number));
    if (const std::string why = Contradiction(entries, entry); !why.empty()) {
      return Broken("Token file, line " + std::to_string(number) + ": " + why);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string NewToken() {
  std::array<uint8_t, 32> bytes{};
  FillRandom(bytes);
  return std::string(kTokenPrefix) +
         Base64UrlEncode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Result<std::string> TokenLine(std::string_view token, const TokenEntry& entry) {
  std::string line(kHashPrefix);
  line.append(Hex(Sha256(token)));
  line.append(" principal=").append(entry.caller.principal);
  line.append(" tenant=").append(entry.caller.tenant);
  for (size_t i = 0; i < entry.scopes.size(); ++i) {
    line.append(i == 0 ? " scopes=" : ",").append(entry.scopes[i]);
  }
  // What it says must be what it reads back as.
  const auto read = ParseTokens(line);
  if (!read || read->size() != 1 || read->front().caller.principal != entry.caller.principal ||
      read->front().caller.tenant != entry.caller.tenant || read->front().scopes != entry.scopes) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_setting",
                "Principal, tenant and scopes take visible ASCII without blanks, quotes and #");
  }
  return line;
}

Result<TokenFile> TokenFile::Open(std::string path) {
  TokenFile file(std::move(path));
  TRY(file.Reload(true));
  return file;
}

Result<bool> TokenFile::Reload(bool in_any_case) {
  auto text = file_.Read(in_any_case);
  if (!text) return Broken(std::move(text).error().message);
  if (!*text) return false;
  TRY_ASSIGN(entries_, ParseTokens(**text));
  return true;
}

std::optional<mcp::Caller> TokenFile::Find(std::string_view token, WallTime now) const {
  const Digest digest = Sha256(token);
  const std::string_view wanted(reinterpret_cast<const char*>(digest.data()), digest.size());
  const TokenEntry* found = nullptr;
  for (const TokenEntry& entry : entries_) {
    const std::string_view known(reinterpret_cast<const char*>(entry.digest.data()),
                                 entry.digest.size());
    if (EqualInConstantTime(known, wanted)) found = &entry;
  }
  if (found == nullptr || (found->expires && now >= *found->expires)) return std::nullopt;
  mcp::Caller caller = found->caller;
  caller.grant = std::make_shared<const mcp::Scopes>(found->scopes);
  return caller;
}

}  // namespace ducat::transport
