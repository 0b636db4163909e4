// attacks WORKER [NUMBER]: guard.md 16 with its own limits (5 s, 1 GiB): how each statement ends,
// the memory it took, and how soon the next call of the same and of another session is answered.
// Exit 1 when one broke the promise.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "attack_pool.h"
#include "worker/sql_attacks.h"

namespace ducat::bench {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDeadline{5'000};
constexpr double kEndMsMax = 5'000 + 500 + 150;  // guard.md 1, P5
constexpr double kNextMsMax = 150;
constexpr uint64_t kPeakMax = uint64_t{3} << 30;  // RLIMIT_AS
constexpr milliseconds kCallDeadline{30'000};

// The next call must answer, and soon.
double NextCall(AttackPool& pool, const std::string& session, bool& held) {
  const Outcome next = pool.Run("SELECT 42 AS a", session, kCallDeadline);
  held = held && next.result.has_value() && next.ms <= kNextMsMax;
  return next.ms;
}

bool Attack(const worker::SqlAttack& attack, const std::string& executable) {
  AttackPool pool(executable, attack.temp_limit_bytes);
  bool held = true;
  bool warm = true;
  NextCall(pool, "b", warm);
  pool.Idle(milliseconds(200));  // the spare becomes ready
  const Outcome outcome = pool.Run(worker::SqlOf(attack), "a", kDeadline);
  const std::string reason = outcome.result ? "" : outcome.result.error().reason;
  held = attack.ends.find(worker::LetterOf(reason)) != std::string_view::npos &&
         outcome.ms <= kEndMsMax && outcome.peak_bytes <= kPeakMax;
  const double same = NextCall(pool, "a", held);
  const double other = NextCall(pool, "b", held);
  fmt::print("{:>3}  {:<58.58}  {:>7.0f}  {:<17}  {:>6}  {:>6.1f}  {:>6.1f}  {}\n", attack.number,
             attack.sql, outcome.ms, reason.empty() ? "(result)" : reason, outcome.peak_bytes >> 20,
             same, other, held ? "holds" : "BROKEN");
  return held;
}

// No. 25: thirty-two long calls of one session, then a small one of another.
bool Flood(const std::string& executable) {
  AttackPool pool(executable, uint64_t{4} << 30);
  bool held = true;
  bool warm = true;
  NextCall(pool, "b", warm);
  std::vector<AttackPool::Pending> calls;
  for (int i = 0; i < 32; ++i) {
    calls.push_back(pool.Begin(
        "SELECT count(*) FROM range(100000000000) a, range(" + std::to_string(100'000 + i) + ") b",
        "a", kDeadline));
  }
  pool.Idle(milliseconds(100));
  const Outcome other = pool.Run("SELECT 42 AS a", "b", kCallDeadline);
  held = other.result.has_value() && other.ms < 1'000;
  size_t refused = 0;
  for (const auto& call : calls) {
    pool.Wait(call);
    refused += !**call && (**call).error().reason == "overloaded" ? 1 : 0;
  }
  fmt::print("{:>3}  {:<58}  {:>7}  {} overloaded      {:>6}  {:>6}  {:>6.1f}  {}\n", 25,
             "32 long calls of session A, one small of B", "", refused, "", "", other.ms,
             held ? "holds" : "BROKEN");
  return held;
}

}  // namespace
}  // namespace ducat::bench

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: attacks WORKER [NUMBER]\n");
    return 2;
  }
  const std::string_view only = argc > 2 ? argv[2] : "";
  fmt::print("{:>3}  {:<58}  {:>7}  {:<17}  {:>6}  {:>6}  {:>6}\n", "no.", "attack", "ms", "ended",
             "MiB", "next A", "next B");
  bool held = true;
  for (const auto& attack : ducat::worker::kSqlAttacks) {
    if (!only.empty() && only != attack.number) continue;
    held = ducat::bench::Attack(attack, argv[1]) && held;
  }
  if (only.empty() || only == "25") held = ducat::bench::Flood(argv[1]) && held;
  return held ? 0 : 1;
}
