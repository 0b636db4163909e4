#include <string>

#include "json/writer.h"
#include "probe_worker/probe_jobs.h"
#include "worker/child/engine/connection.h"

namespace ducat::worker::probe {
namespace {

using child::JobContext;

std::string_view Text(json::View arguments, std::string_view key, std::string_view fallback = "") {
  return arguments.Find(key).value_or(json::View()).AsString().value_or(fallback);
}

std::string Value(std::string_view value) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("value", value);
  writer.EndObject();
  return out;
}

Failure EngineFailed(const engine::EngineError& error) {
  return Fail(ErrorCode::kInvalidArgument, "engine_error", error.type + ": " + error.message);
}

// Any statement, past the guard. What the engine reads lazily must be there in the cage: zones,
// collations, CSV, spilling.
Result<std::string> UseEngine(JobContext& context, json::View arguments) {
  auto rows = context.connection.Run(Text(arguments, "sql", "SELECT 1"));
  if (!rows) return EngineFailed(rows.error());
  auto values = rows->AllText();
  if (!values) return EngineFailed(values.error());
  return Value(values->empty() ? "" : values->front().front().value_or("null"));
}

// A database file as out.tmp, which the test then takes.
Result<std::string> MakeDatabase(JobContext& context, json::View) {
  const std::string path = context.hello.private_dir + "/out.tmp";
  for (const std::string& sql :
       {"ATTACH " + engine::QuoteText(path) + " AS w",
        std::string("CREATE TABLE w.t AS SELECT 42 AS a"), std::string("DETACH w")}) {
    if (auto ran = context.connection.Run(sql); !ran) return EngineFailed(ran.error());
  }
  return Value("made");
}

Result<std::string> AttachDatabase(JobContext& context, json::View) {
  TRY(context.connection.AttachDatabase());
  auto rows = context.connection.Run("SELECT a FROM db.t");
  if (!rows) return EngineFailed(rows.error());
  auto values = rows->AllText();
  if (!values) return EngineFailed(values.error());
  return Value(values->front().front().value_or("null"));
}

}  // namespace

std::vector<child::JobEntry> EngineJobs() {
  return {
      {"engine", UseEngine}, {"make_database", MakeDatabase}, {"attach_database", AttachDatabase}};
}

}  // namespace ducat::worker::probe
