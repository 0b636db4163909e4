#include "worker/child/guard/parsed_sql.h"

#include <charconv>

namespace ducat::guard {
namespace {

// A tree object is some ten values; lists of values are bounded by their own limit.
constexpr json::ParseLimits kTreeLimits{
    .depth_max = 20'000, .nodes_max = 20'000'000, .refuse_duplicate_keys = false};

std::string Member(json::View object, std::string_view key) {
  return std::string(object.Find(key).value_or(json::View()).AsString().value_or(""));
}

engine::EngineError ParserError(json::View root) {
  engine::EngineError error{.type = "Parser",
                            .subtype = Member(root, "error_subtype"),
                            .message = Member(root, "error_message")};
  const std::string position = Member(root, "position");
  uint64_t value = 0;
  const auto [end, fault] =
      std::from_chars(position.data(), position.data() + position.size(), value);
  if (fault == std::errc{} && end != position.data()) error.position = value;
  return error;
}

// The engine writes infinite constants as bare words, which are no JSON.
std::string WithoutInfinities(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  bool quoted = false;
  for (size_t i = 0; i < json.size();) {
    const std::string_view rest = json.substr(i);
    if (!quoted && (rest.starts_with("Infinity") || rest.starts_with("-Infinity"))) {
      out += '0';
      i += rest.find('y') + 1;
      continue;
    }
    if (!quoted && rest.starts_with("NaN")) {
      out += '0';
      i += 3;
      continue;
    }
    if (quoted && json[i] == '\\' && i + 1 < json.size()) out += json[i++];
    if (json[i] == '"') quoted = !quoted;
    out += json[i++];
  }
  return out;
}

}  // namespace

ParsedSql ReadSerialized(std::string_view serialized) {
  ParsedSql parsed;
  auto root = parsed.document.Parse(serialized, kTreeLimits);
  if (!root.has_value() && root.error().reason == "json_syntax") {
    root = parsed.document.Parse(WithoutInfinities(serialized), kTreeLimits);
  }
  if (!root.has_value()) {
    parsed.outcome = ParseOutcome::kTooLarge;
    parsed.error.message = root.error().message;
    return parsed;
  }
  if (root->Find("error").value_or(json::View()).AsBoolean().value_or(true)) {
    parsed.error = ParserError(*root);
    const bool no_select = parsed.error.message.starts_with("Only SELECT statements");
    parsed.outcome = no_select ? ParseOutcome::kNoSelect : ParseOutcome::kRefused;
    return parsed;
  }
  const json::View statements = root->Find("statements").value_or(json::View());
  if (statements.Size() != 1) {
    parsed.outcome = statements.Size() == 0 ? ParseOutcome::kNoSelect : ParseOutcome::kSeveral;
    return parsed;
  }
  statements.ForEachElement([&](json::View statement) {
    parsed.statement = statement;
    return false;
  });
  return parsed;
}

ParsedSql ParseSql(engine::Connection& connection, std::string_view sql) {
  auto serialized = connection.SerializeSql(sql);
  if (serialized.has_value()) return ReadSerialized(*serialized);
  ParsedSql failed;
  failed.outcome = ParseOutcome::kEngine;
  failed.error = std::move(serialized).error();
  return failed;
}

}  // namespace ducat::guard
