#include "packs/analyst/saved_queries.h"

#include <algorithm>
#include <utility>

#include "base/atomic_file.h"
#include "base/iso_time.h"
#include "base/text.h"
#include "json/decode.h"
#include "json/encode.h"
#include "json/view.h"

namespace ducat::analyst {
namespace {

constexpr size_t kFileMax = size_t{16} << 20;
constexpr size_t kSqlMax = 1'000'000;
constexpr size_t kDescriptionMax = 1'000;
constexpr size_t kNameMax = 63;
constexpr int64_t kVersion = 1;

struct SavedFile {
  int64_t version = kVersion;
  std::vector<SavedQuery> queries;

  static constexpr auto Fields() {
    using json::Describe;
    return std::array{Describe<&SavedFile::version>("version", "format version"),
                      Describe<&SavedFile::queries>("queries", "saved queries, by name")};
  }
};

bool IsSavedName(std::string_view name) {
  return !name.empty() && name.size() <= kNameMax && name[0] >= 'a' && name[0] <= 'z' &&
         std::ranges::all_of(
             name, [](char c) { return (c >= 'a' && c <= 'z') || IsAsciiDigit(c) || c == '_'; });
}

Failure BadParameter(const std::string& name, const std::string& what) {
  return Fail(ErrorCode::kInvalidArgument, "invalid_arguments",
              "params." + name + ": " + what + ".", "Correct the parameter and save again.");
}

bool Fits(ParameterType type, json::View value) {
  switch (type) {
    case ParameterType::kInteger:
      return value.AsInteger().has_value();
    case ParameterType::kNumber:
      return value.AsDouble().has_value();
    case ParameterType::kBoolean:
      return value.AsBoolean().has_value();
    case ParameterType::kString:
      return value.AsString().has_value();
    case ParameterType::kDate:
      return DaysOfIsoDate(value.AsString().value_or("")).has_value();
    case ParameterType::kTimestamp:
      return MicrosOfIsoTimestamp(value.AsString().value_or("")).has_value();
  }
  return false;
}

Status CheckParameter(const std::string& name, const SavedParameter& parameter) {
  if (!IsSavedName(name)) {
    return BadParameter(name,
                        "a parameter's name is lower case letters, digits and _ and begins with "
                        "a letter, as in $" +
                            std::string("from_day"));
  }
  if (parameter.description.empty()) return BadParameter(name, "needs a description");
  const bool text = parameter.type == ParameterType::kString;
  if (!parameter.choices.empty() && !text) return BadParameter(name, "enum needs type string");
  if (parameter.choices.size() > kSavedChoicesMax) return BadParameter(name, "enum is too long");
  if (!parameter.default_value.has_value()) return {};
  json::Document document;
  const Result<json::View> value = document.Parse(parameter.default_value->json);
  if (!value || !Fits(parameter.type, *value)) {
    return BadParameter(name, "the default is not of the parameter's type");
  }
  const auto chosen = value->AsString();
  if (!parameter.choices.empty() &&
      std::ranges::find(parameter.choices, chosen) == parameter.choices.end()) {
    return BadParameter(name, "the default is not one of enum");
  }
  return {};
}

}  // namespace

Status CheckSavedQuery(const SavedQuery& query) {
  if (!IsSavedName(query.name)) {
    return Fail(
        ErrorCode::kInvalidArgument, "invalid_name",
        "\"" + std::string(ClipUtf8(query.name, 100)) + "\" cannot be a saved query's name.",
        "Use lower case letters, digits and _, begin with a letter, at most 63 characters.");
  }
  if (query.sql.empty() || query.sql.size() > kSqlMax ||
      CountCodePoints(query.description) > kDescriptionMax) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_arguments",
                "sql needs 1 to 1000000 bytes, description at most 1000 characters.",
                "Shorten it.");
  }
  if (query.params.size() > kSavedParametersMax) {
    return Fail(ErrorCode::kInvalidArgument, "invalid_arguments",
                "A saved query has at most 50 parameters.", "Use fewer.");
  }
  for (const auto& [name, parameter] : query.params) {
    TRY(CheckParameter(name, parameter));
  }
  return {};
}

SavedQueries::SavedQueries(std::string file, std::string data_file)
    : file_(std::move(file)), data_file_(std::move(data_file)) {}

std::vector<Error> SavedQueries::Load() {
  std::vector<Error> problems;
  if (Status loaded = LoadFile(data_file_, shipped_, problems); !loaded) {
    problems.push_back(std::move(loaded).error());
  }
  if (Status loaded = LoadFile(file_, own_, problems); !loaded) {
    problems.push_back(std::move(loaded).error());
  }
  return problems;
}

Status SavedQueries::LoadFile(const std::string& file,
                              std::map<std::string, SavedQuery, std::less<>>& queries,
                              std::vector<Error>& problems) const {
  queries.clear();
  if (file.empty()) return {};
  TRY_ASSIGN(const std::optional<std::string> text, ReadSmallFile(file, kFileMax));
  if (!text.has_value()) return {};
  json::Document document;
  TRY_ASSIGN(const json::View root, document.Parse(*text));
  TRY_ASSIGN(SavedFile content, json::Decode<SavedFile>(root));
  for (SavedQuery& query : content.queries) {
    if (queries.size() >= kSavedQueriesMax) break;
    if (Status checked = CheckSavedQuery(query); !checked) {
      problems.push_back(std::move(checked).error());
      continue;
    }
    std::string name = query.name;
    queries.insert_or_assign(std::move(name), std::move(query));
  }
  return {};
}

const SavedQuery* SavedQueries::Find(std::string_view name) const {
  for (const auto* queries : {&own_, &shipped_}) {
    if (const auto found = queries->find(name); found != queries->end()) return &found->second;
  }
  return nullptr;
}

std::vector<const SavedQuery*> SavedQueries::All() const {
  std::vector<const SavedQuery*> all;
  all.reserve(own_.size() + shipped_.size());
  for (const auto& [name, query] : own_) {
    all.push_back(&query);
  }
  for (const auto& [name, query] : shipped_) {
    if (!own_.contains(name)) all.push_back(&query);
  }
  std::ranges::sort(all, {}, [](const SavedQuery* query) { return std::string_view(query->name); });
  return all;
}

Result<bool> SavedQueries::Put(SavedQuery query, bool replace) {
  const bool exists = Find(query.name) != nullptr;
  if (exists && !replace) {
    return Fail(ErrorCode::kFailedPrecondition, "saved_query_exists",
                "There is a saved query " + query.name + " already.",
                "Choose another name, or send replace: true.");
  }
  if (file_.empty()) {
    return Fail(ErrorCode::kUnavailable, "file_not_written",
                "There is no place to keep saved queries.",
                "Start the server with --saved-queries FILE, or with HOME or DUCAT_HOME set.");
  }
  if (!own_.contains(query.name) && own_.size() >= kSavedQueriesMax) {
    return Fail(ErrorCode::kResourceExhausted, "saved_queries_full",
                "There are 500 saved queries, the most there can be.",
                "Replace one that is no longer needed.");
  }
  auto next = own_;
  std::string name = query.name;
  next.insert_or_assign(std::move(name), std::move(query));
  SavedFile content;
  for (const auto& [key, one] : next) {
    content.queries.push_back(one);
  }
  if (const Status written = WriteFileAtomically(file_, json::Encode(content) + "\n"); !written) {
    return Fail(ErrorCode::kUnavailable, "file_not_written",
                "The saved queries could not be written.",
                "Have the operator check the file of --saved-queries.");
  }
  own_ = std::move(next);
  return exists;
}

}  // namespace ducat::analyst
