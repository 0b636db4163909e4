#include "worker/child/mounted_catalog.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "worker/child/engine/connection.h"
#include "worker/child/ingest/carrier.h"
#include "worker/child/ingest/open_file.h"

namespace ducat::worker::child {
namespace {

using engine::QuoteIdentifier;

constexpr size_t kAnswersMax = 256;

bool IsDatabaseObject(const CatalogTable& table) {
  return !table.db_name.empty();
}

// The SELECT behind a table's view.
Result<std::string> BodyOf(const CatalogTable& table, engine::Connection& connection) {
  if (IsDatabaseObject(table)) {
    return "SELECT * FROM db." + QuoteIdentifier(table.db_schema) + "." +
           QuoteIdentifier(table.db_name);
  }
  // The engine opens the file when it binds the view.
  TRY(ingest::CheckRegular(table.file, "\"" + table.source + "\""));
  return ingest::MountSql(table, connection);
}

// The engine's words with the source in the place of the file that was made of it.
std::string ProblemText(const CatalogTable& table, std::string message,
                        const engine::Connection& connection) {
  const std::string file = connection.WithoutFolders(table.file);
  if (file.empty() || file == table.source) return message;
  for (size_t at = message.find(file); at != std::string::npos;
       at = message.find(file, at + table.source.size())) {
    message.replace(at, file.size(), table.source);
  }
  return message;
}

}  // namespace

Status MountedCatalog::Apply(const CatalogDelta& delta, engine::Connection& connection) {
  if (delta.from_version == 0) {
    DropAll(connection);
  } else if (delta.from_version != version_) {
    return Internal("catalog delta from version " + std::to_string(delta.from_version) +
                    " does not apply to version " + std::to_string(version_));
  }
  for (const std::string& name : delta.removed) {
    Drop(name, connection);
  }
  for (const CatalogTable& table : delta.tables) {
    Drop(table.name, connection);
    const CatalogTable& kept = tables_[table.name] = table;
    if (IsDatabaseObject(kept)) {
      unmounted_database_.insert(kept.name);
    } else if (!kept.file.empty()) {
      Mount(kept, connection);
    }
  }
  for (const std::string& file : delta.removed_files) {
    files_.erase(file);
    outside_files_.erase(file);
  }
  files_.insert(delta.files.begin(), delta.files.end());
  outside_files_.insert(delta.outside_files.begin(), delta.outside_files.end());
  has_database_ = std::any_of(tables_.begin(), tables_.end(),
                              [](const auto& entry) { return IsDatabaseObject(entry.second); });
  answers_.clear();
  version_ = delta.version;
  return {};
}

Status MountedCatalog::UseDatabase(engine::Connection& connection) {
  TRY(connection.AttachDatabase());
  for (const std::string& name : unmounted_database_) {
    Mount(tables_[name], connection);
  }
  unmounted_database_.clear();
  return {};
}

const CatalogTable* MountedCatalog::Find(std::string_view name) const {
  const auto found = tables_.find(AsciiLower(name));
  return found == tables_.end() ? nullptr : &found->second;
}

std::string_view MountedCatalog::Problem(std::string_view name) const {
  const auto found = problems_.find(AsciiLower(name));
  return found == problems_.end() ? std::string_view() : std::string_view(found->second);
}

const MountedCatalog::Answer* MountedCatalog::FindAnswer(std::string_view sql) const {
  const auto found = answers_.find(sql);
  return found == answers_.end() ? nullptr : &found->second;
}

const MountedCatalog::Answer& MountedCatalog::KeepAnswer(std::string sql, Answer answer) {
  if (answers_.size() >= kAnswersMax) answers_.clear();
  return answers_[std::move(sql)] = std::move(answer);
}

void MountedCatalog::Drop(const std::string& name, engine::Connection& connection) {
  tables_.erase(name);
  problems_.erase(name);
  unmounted_database_.erase(name);
  if (mounted_.erase(name) > 0) {
    ++mounts_;
    // It was made by Mount, so dropping it cannot fail.
    static_cast<void>(connection.Run("DROP VIEW " + QuoteIdentifier(name)));
  }
}

void MountedCatalog::DropAll(engine::Connection& connection) {
  while (!tables_.empty()) {
    Drop(std::string(tables_.begin()->first), connection);
  }
  files_.clear();
  outside_files_.clear();
}

void MountedCatalog::Mount(const CatalogTable& table, engine::Connection& connection) {
  const Result<std::string> body = BodyOf(table, connection);
  if (!body.has_value()) {
    problems_[table.name] = ProblemText(table, body.error().message, connection);
    return;
  }
  const auto created =
      connection.Run("CREATE VIEW " + QuoteIdentifier(table.name) + " AS " + *body);
  if (!created.has_value()) {
    problems_[table.name] = ProblemText(table, created.error().message, connection);
    return;
  }
  mounted_.insert(table.name);
  ++mounts_;
}

}  // namespace ducat::worker::child
