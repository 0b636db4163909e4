#include <duckdb.h>
#include <fmt/format.h>

#include "examples/files.h"

namespace ducat::examples {
namespace {

// An in-memory engine for one file; closes itself.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }

  Status Open() {
    if (duckdb_open(nullptr, &database_) != DuckDBSuccess ||
        duckdb_connect(database_, &connection_) != DuckDBSuccess) {
      return Fail(ErrorCode::kUnavailable, "engine_error", "the engine did not open");
    }
    return {};
  }

  Status Run(const std::string& sql) {
    duckdb_result result;
    const bool ok = duckdb_query(connection_, sql.c_str(), &result) == DuckDBSuccess;
    std::string message;
    if (!ok) message = duckdb_result_error(&result);
    duckdb_destroy_result(&result);
    if (!ok) return Fail(ErrorCode::kUnavailable, "engine_error", std::move(message));
    return {};
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

std::string InsertSql(const std::vector<Order>& orders) {
  std::string sql = "INSERT INTO orders VALUES ";
  for (const Order& order : orders) {
    sql += fmt::format(
        "{}({}, '{}', {}, '{}', '{}', {}, {}.{:02}, '{}', {})", &order == orders.data() ? "" : ", ",
        order.id, SecondText(order.ordered_at, ' '), order.subscriber_id, kPlans.at(order.plan),
        order.period, order.discount_pct, order.amount_cents / 100, order.amount_cents % 100,
        order.payment, order.refunded);
  }
  return sql;
}

std::string Quoted(const std::filesystem::path& path) {
  std::string quoted = "'";
  for (const char c : path.string()) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + '\'';
}

}  // namespace

Status WriteOrdersParquet(const std::vector<Order>& orders, const std::filesystem::path& path) {
  Engine engine;
  TRY(engine.Open());
  TRY(engine.Run("SET threads = 1"));
  TRY(
      engine.Run("CREATE TABLE orders (order_id BIGINT, ordered_at TIMESTAMP, "
                 "subscriber_id BIGINT, plan VARCHAR, period VARCHAR, discount_pct INTEGER, "
                 "amount_eur DECIMAL(10,2), payment VARCHAR, refunded BOOLEAN)"));
  TRY(engine.Run(InsertSql(orders)));
  return engine.Run(
      fmt::format("COPY (SELECT * FROM orders ORDER BY order_id) TO {} (FORMAT parquet, "
                  "COMPRESSION snappy)",
                  Quoted(path)));
}

}  // namespace ducat::examples
