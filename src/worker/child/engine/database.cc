#include <map>

#include "base/result.h"
#include "worker/child/engine/session.h"

namespace ducat::engine {
namespace {

constexpr std::string_view kRequiredVersion = "v1.5.6";

Failure LockdownFailed(std::string message) {
  return Fail(ErrorCode::kUnavailable, "engine_lockdown", std::move(message),
              "Report this: the SQL engine refused a safety setting, so it was not used.");
}

Result<std::unique_ptr<Session>> OpenSession(DatabaseState& database) {
  auto session = std::make_unique<Session>();
  if (duckdb_connect(database.handle.get(), session->handle.out()) != DuckDBSuccess) {
    return Internal("duckdb_connect failed");
  }
  session->keywords = &database.keywords;
  session->folders = &database.folders;
  return session;
}

std::string Describe(const EngineError& error) {
  return error.type + ": " + error.message;
}

using SettingValues = std::map<std::string, std::string, std::less<>>;

EngineResult<SettingValues> ReadSettings(Connection& connection) {
  auto rows = connection.Run("SELECT name, value FROM duckdb_settings()");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  SettingValues values;
  for (const auto& row : *table) {
    values[row[0].value_or("")] = row[1].value_or("");
  }
  return values;
}

// Each value of a list setting with a newline, sorted: exact whatever characters paths hold.
EngineResult<std::string> ReadListSetting(Connection& connection, const std::string& name) {
  auto rows = connection.Run("SELECT unnest(list_sort(current_setting(" + QuoteText(name) + ")))");
  if (!rows.has_value()) return tl::unexpected(std::move(rows).error());
  auto table = rows->AllText();
  if (!table.has_value()) return tl::unexpected(std::move(table).error());
  std::string lines;
  for (const auto& row : *table) {
    lines += row[0].value_or("") + "\n";
  }
  return lines;
}

// One line per setting whose value is not the locked one.
std::vector<std::string> Differences(Connection& connection,
                                     const std::vector<LockedSetting>& lockdown) {
  auto values = ReadSettings(connection);
  if (!values.has_value()) return {"settings cannot be read: " + Describe(values.error())};
  std::vector<std::string> differences;
  for (const LockedSetting& setting : lockdown) {
    if (!setting.is_compared) continue;
    std::string value;
    if (setting.is_list) {
      auto list = ReadListSetting(connection, setting.name);
      value = list.has_value() ? *std::move(list) : Describe(list.error());
    } else if (const auto found = values->find(setting.name); found != values->end()) {
      value = found->second;
    } else {
      value = "(no such setting)";
    }
    if (value != setting.expected) {
      differences.push_back(setting.name + " is '" + value + "', not '" + setting.expected + "'");
    }
  }
  return differences;
}

Result<Keywords> ReadKeywords(Connection& connection) {
  auto rows = connection.Run("SELECT keyword_name FROM duckdb_keywords()");
  if (!rows.has_value()) return Internal(Describe(rows.error()));
  auto table = rows->AllText();
  if (!table.has_value()) return Internal(Describe(table.error()));
  Keywords keywords;
  for (const auto& row : *table) {
    keywords.insert(row[0].value_or(""));
  }
  return keywords;
}

}  // namespace

std::string_view RequiredVersion() {
  return kRequiredVersion;
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::Open(const EngineSettings& settings) {
  if (const std::string_view found = duckdb_library_version(); found != kRequiredVersion) {
    return Fail(ErrorCode::kUnavailable, "engine_version",
                "libduckdb.so is " + std::string(found) + ", this build needs exactly " +
                    std::string(kRequiredVersion),
                "Install the pinned library (./run --build) or point DUCAT_DUCKDB_DIR at it.");
  }
  auto impl = std::make_unique<Impl>();
  char* problem = nullptr;
  if (duckdb_open_ext(nullptr, impl->handle.out(), nullptr, &problem) != DuckDBSuccess) {
    return Internal("duckdb_open failed: " + TakeText(problem));
  }
  impl->db_file = settings.db_file;
  impl->lockdown = LockdownOf(settings);
  impl->folders = FoldersOf(settings);
  Database database(std::move(impl));
  TRY_ASSIGN(Connection connection, database.Connect());
  TRY_ASSIGN(database.impl_->keywords, ReadKeywords(connection));
  for (const LockedSetting& setting : database.impl_->lockdown) {
    if (setting.statement.empty()) continue;
    if (auto set = connection.Run(setting.statement); !set.has_value()) {
      return LockdownFailed(setting.name + " cannot be set: " + Describe(set.error()));
    }
  }
  if (const auto wrong = Differences(connection, database.impl_->lockdown); !wrong.empty()) {
    return LockdownFailed(wrong.front());
  }
  return database;
}

// The first connection is the one that the settings were made on; it is handed out again.
Result<Connection> Database::Connect() {
  for (const auto& session : impl_->sessions) {
    if (session->is_borrowed) continue;
    session->is_borrowed = true;
    return Connection(std::make_unique<Connection::Impl>(*impl_, *session));
  }
  TRY_ASSIGN(auto session, OpenSession(*impl_));
  session->is_borrowed = true;
  impl_->sessions.push_back(std::move(session));
  return Connection(std::make_unique<Connection::Impl>(*impl_, *impl_->sessions.back()));
}

std::vector<std::string> Database::CheckLockdown() {
  std::vector<std::string> differences;
  for (const auto& session : impl_->sessions) {
    // Borrowed from beside its owner: settings made on that very connection are what is asked for.
    const bool was_borrowed = session->is_borrowed;
    {
      Connection connection(std::make_unique<Connection::Impl>(*impl_, *session));
      for (std::string& line : Differences(connection, impl_->lockdown)) {
        differences.push_back(std::move(line));
      }
    }
    session->is_borrowed = was_borrowed;
  }
  return differences;
}

}  // namespace ducat::engine
