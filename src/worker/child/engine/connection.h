#pragma once
// The engine behind its C API: RAII owners and errors as values. Only this folder includes
// duckdb.h. One Database and one Connection per worker process; Interrupt may be called from any
// thread, all else from the job thread.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "base/result.h"
#include "worker/child/engine/types.h"

namespace ducat::engine {

// A refusal of the engine, from its JSON form (errors_as_json).
struct EngineError {
  std::string type;  // exception_type: "Parser", "Binder", "Catalog", "Out of Memory", "Interrupt",
                     // "INTERNAL", ...
  std::string subtype;  // error_subtype, may be empty
  std::string message;  // without the "Binder Error: " prefix
  std::optional<uint64_t>
      position;      // bytes for Binder/Catalog, characters for Parser (guard.md F16)
  std::string name;  // the name that was not found
  std::vector<std::string> candidates;
};
template <class T>
using EngineResult = tl::expected<T, EngineError>;

// One value bound to a statement parameter: text as written, with its kind.
struct Parameter {
  enum class Kind : uint8_t {
    kNull,
    kBoolean,
    kInteger,
    kUnsigned,
    kDouble,
    kText,
    kDate,      // `integer`: days since 1970-01-01
    kTimestamp  // `integer`: microseconds since then
  } kind = Kind::kNull;
  bool boolean = false;
  int64_t integer = 0;
  uint64_t unsigned_integer = 0;
  double number = 0;
  std::string text;
};
using NamedParameters = std::vector<std::pair<std::string, Parameter>>;  // "1", "name"

struct ResultColumn {
  std::string name;
  std::string type;  // the engine's type text
};

// A running or finished statement whose rows are fetched in chunks. See chunk.h for reading values.
class Chunk;
class Rows {
 public:
  Rows(Rows&&) noexcept;
  Rows& operator=(Rows&&) noexcept;
  ~Rows();
  [[nodiscard]] const std::vector<ResultColumn>& columns() const;
  // How to read each column's values; differs from columns() after RunReadable.
  [[nodiscard]] const std::vector<Type>& types() const;
  // Next chunk, null at the end. The chunk is valid until the next call.
  [[nodiscard]] EngineResult<const Chunk*> Next();
  // Convenience for our own small statements: every value as the engine's text, null as nothing.
  [[nodiscard]] EngineResult<std::vector<std::vector<std::optional<std::string>>>> AllText();

 private:
  friend class Connection;
  struct Impl;
  explicit Rows(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class Connection {
 public:
  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // Runs one statement of our own or one that the guard has passed. Parameters are bound, never
  // spliced. Rows stream: the result is not materialised.
  [[nodiscard]] EngineResult<Rows> Run(std::string_view sql,
                                       const NamedParameters& parameters = {});
  // As Run, for a SELECT: values that only the engine can print (VARIANT, GEOMETRY) arrive as
  // VARCHAR, also inside nested ones, while columns() keeps their type. With few rows and no
  // parameters it is RunWhole.
  static constexpr uint64_t kWholeRowsMax = 2'048;  // one vector of the engine
  [[nodiscard]] EngineResult<Rows> RunReadable(std::string_view sql,
                                               const NamedParameters& parameters = {},
                                               uint64_t rows_max = UINT64_MAX);
  // As Run for exactly one statement without parameters whose result is small: all of it is there
  // when this returns. A prepared statement over a file is planned when it is prepared and again
  // when it runs; this one is planned once.
  [[nodiscard]] EngineResult<Rows> RunWhole(std::string_view sql);
  // Kind of the statement ("SELECT", "EXPLAIN", ...) and its parameters, without running it.
  struct Prepared {
    std::string kind;
    std::vector<std::string> parameter_names;
    std::vector<ResultColumn> columns;
  };
  [[nodiscard]] EngineResult<Prepared> Prepare(std::string_view sql);
  // json_serialize_sql of `sql`, bound as a parameter: parses without running anything (guard.md
  // F15).
  [[nodiscard]] EngineResult<std::string> SerializeSql(std::string_view sql);
  // EXPLAIN (FORMAT JSON) of the text.
  [[nodiscard]] EngineResult<std::string> ExplainJson(std::string_view sql,
                                                      const NamedParameters& parameters = {});
  // What a statement may never change (guard.md 5): the settings of the lock as one text, how many
  // objects there are that nobody mounts (tables, sequences, variables, schemas, databases other
  // than `db`), and the views with their ids. Some 0.5 ms.
  struct State {
    std::string settings;
    uint64_t strangers = 0;
    uint64_t views = 0;
    std::string view_ids;
    friend bool operator==(const State&, const State&) = default;
  };
  [[nodiscard]] EngineResult<State> ReadState();
  // Names in it become relative to the folders that tables lie in: for plans, which name files.
  [[nodiscard]] std::string WithoutFolders(std::string text) const;
  void Interrupt();
  // True after an INTERNAL or FATAL error of the engine: nobody knows its state now, the worker is
  // to be replaced (guard.md F19).
  [[nodiscard]] bool is_broken() const;

  // Attaches the --db file read-only as catalog `db`; nothing happens when it is attached. Tries
  // four times within 350 ms. Reasons: database_locked (held by a writer), database_invalid.
  [[nodiscard]] Status AttachDatabase();
  // So that writers are not blocked while the worker is idle. Rows of it must be gone.
  void DetachDatabase();
  [[nodiscard]] bool database_attached() const;

 private:
  friend class Database;
  struct Impl;
  explicit Connection(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct EngineSettings {
  std::string data_dir, db_file, tables_dir, private_dir;
  uint64_t memory_limit_bytes = uint64_t{2} << 30;
  uint64_t temp_limit_bytes = uint64_t{4} << 30;
  int threads = 2;
  bool canvas_profile = false;
};

// Outlives its connections.
class Database {
 public:
  // Opens an in-memory database of exactly the pinned version (reason engine_version otherwise) and
  // locks it down: each setting is set, then read back (reason engine_lockdown). guard.md 5.
  [[nodiscard]] static Result<Database> Open(const EngineSettings& settings);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();
  [[nodiscard]] Result<Connection> Connect();
  // Settings that differ from the locked state now; empty when all hold.
  [[nodiscard]] std::vector<std::string> CheckLockdown();

 private:
  struct Impl;
  explicit Database(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The pinned version, "v1.5.6".
[[nodiscard]] std::string_view RequiredVersion();
// Quoted for splicing into our own SQL: "a""b" and 'a''b'.
[[nodiscard]] std::string QuoteIdentifier(std::string_view name);
[[nodiscard]] std::string QuoteText(std::string_view text);
// A path for a reader function, taken literally: quoted, its glob characters escaped.
[[nodiscard]] std::string QuotePath(std::string_view path);

}  // namespace ducat::engine
