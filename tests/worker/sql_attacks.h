#pragma once
// The SQL part of guard.md 16: statements that pass the guard and want all memory, time or disk.
// One table for the test (short deadline) and for bench/attacks (the deadline of the page). Plain
// data.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ducat::worker {

struct SqlAttack {
  std::string_view number;  // in guard.md 16
  std::string_view sql;
  // How it may end: R a right result, T query_timeout, M memory_limit, D temp_limit,
  // C worker_crashed, X query_too_complex.
  std::string_view ends;
  uint64_t temp_limit_bytes = uint64_t{4} << 30;
};

// A short deadline may cut off what would have become M, D or C: then T is right as well.
inline constexpr std::array kSqlAttacks{
    SqlAttack{"1", "SELECT len(range(150000000))", "RTM"},
    SqlAttack{"2", "SELECT sum(i) FROM (SELECT unnest(range(100000000)) AS i)", "RTM"},
    SqlAttack{"3", "SELECT sum(i) FROM (SELECT unnest(range(300000000)) AS i)", "TM"},
    SqlAttack{"4", "SELECT count(*) FROM range(100000000000) a, range(100000) b", "T"},
    SqlAttack{"5", "SELECT length(repeat('x', 2000000000))", "TM"},
    SqlAttack{"6", "SELECT lpad('x', 1000000000, 'y')", "TM"},
    SqlAttack{"7", "SELECT list_contains(range(200000000), -1)", "RMT"},
    SqlAttack{"8", "SELECT len(list_sort(list_transform(range(50000000), lambda x : hash(x))))",
              "TM"},
    SqlAttack{"9", "SELECT list_reduce(range(30000000), lambda a, b : a + b)", "TM"},
    SqlAttack{"10", "SELECT string_agg(repeat('x', 1000), '') FROM range(5000000)", "MT"},
    SqlAttack{"11", "SELECT list(i) FROM range(500000000) t(i)", "MT"},
    SqlAttack{"12",
              "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) "
              "SELECT max(n) FROM r",
              "T"},
    SqlAttack{"13",
              "SELECT count(*) FROM (SELECT DISTINCT hash(i) AS h FROM range(2000000000) t(i))",
              "DT", uint64_t{1} << 30},
    SqlAttack{"14", "SELECT i FROM range(3000000000) t(i) ORDER BY hash(i) DESC OFFSET 2999999999",
              "TD"},
    SqlAttack{"15",
              "SELECT count(*) FROM range(1000000) a JOIN range(1000000) b "
              "ON a.range % 2 = b.range % 2",
              "T"},
    SqlAttack{"16",
              "SELECT generate_series(DATE '0001-01-01', DATE '9999-12-31', INTERVAL 1 SECOND)",
              "TM"},
    SqlAttack{"17", "SELECT printf('%1000000000d', 1)", "MT"},
    SqlAttack{"18",
              "SELECT array_to_string(list_transform(range(20000000), "
              "lambda x : repeat('x', 100)), ',')",
              "MT"},
    SqlAttack{"19", "SELECT json_structure(repeat('[', 100000) || repeat(']', 100000))", "C"},
    SqlAttack{"20", "SELECT repeat('x', 50000000) AS big", "R"},
    SqlAttack{"21", "SELECT * FROM range(100000000)", "R"},
    SqlAttack{"22", "(deep lambdas)", "X"},
    SqlAttack{"22", "(deep brackets)", "X"},
    SqlAttack{"22", "(many objects)", "X"},
    SqlAttack{"22", "(many tables)", "X"},
    // Runs of operators and comment signs, which the engine's lexer reads again and again.
    SqlAttack{"22", "(many plus signs)", "X"},
    SqlAttack{"22", "(many comments)", "X"},
    SqlAttack{"22", "(many parameters)", "X"},
    SqlAttack{"16",
              "SELECT count(*) FROM generate_series(TIMESTAMPTZ '2020-01-01', "
              "TIMESTAMPTZ '2030-01-01', INTERVAL 1 MICROSECOND)",
              "TM"},
    // Within the guard's limits; the engine compares every name with all before it.
    SqlAttack{"22", "(equal names)", "T"},
};

// The statement itself: some are too long to be written out.
[[nodiscard]] inline std::string SqlOf(const SqlAttack& attack) {
  const auto repeat = [](std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
      text += part;
    return text;
  };
  if (attack.sql == "(deep lambdas)") {
    std::string sql = "1";
    for (int i = 0; i < 40; ++i)
      sql = "list_transform([1], lambda x" + std::to_string(i) + " : " + sql + ")";
    return "SELECT " + sql;
  }
  if (attack.sql == "(deep brackets)") {
    return "SELECT " + repeat("(", 3'000) + "1" + repeat(")", 3'000);
  }
  if (attack.sql == "(many plus signs)") return "SELECT 1 " + repeat("+", 200'000) + "1";
  if (attack.sql == "(many comments)") return "SELECT 1 " + repeat("/*", 200'000);
  if (attack.sql == "(many parameters)") return "SELECT ?" + repeat(",?", 200'000);
  if (attack.sql == "(many objects)") return "SELECT 1" + repeat(",1+1", 40'000);
  if (attack.sql == "(equal names)") return "SELECT 1" + repeat(",-1", 60'000);
  if (attack.sql == "(many tables)") return "SELECT 1 FROM range(1) t" + repeat(", range(1)", 299);
  return std::string(attack.sql);
}

// The letter of an outcome; empty reason: it ended well.
[[nodiscard]] inline char LetterOf(std::string_view reason) {
  if (reason.empty()) return 'R';
  if (reason == "query_timeout") return 'T';
  if (reason == "memory_limit") return 'M';
  if (reason == "temp_limit") return 'D';
  if (reason == "worker_crashed") return 'C';
  return reason == "query_too_complex" ? 'X' : '?';
}

// Arguments of the job "query".
[[nodiscard]] inline std::string QueryArguments(std::string_view sql) {
  std::string quoted;
  for (const char c : sql) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return R"({"sql":")" + quoted + R"(","limits":{}})";
}

}  // namespace ducat::worker
