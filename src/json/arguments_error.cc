#include <algorithm>

#include "base/text.h"
#include "json/decode.h"
#include "json/issue_words.h"
#include "json/writer.h"

namespace ducat::json {

namespace {

std::string MessageText(std::string_view tool, const DecodeReport& report) {
  std::string text =
      "Input validation error: Invalid arguments for tool " + std::string(tool) + ": ";
  const size_t shown = std::min(report.issues.size(), kIssuesInText);
  for (size_t i = 0; i < shown; ++i) {
    const Issue& issue = report.issues[i];
    if (i > 0) text += ", ";
    text += issue.path.empty() ? issue.message : ClipIssue(issue.path + ": " + issue.message);
  }
  if (report.issues_count > shown) {
    text += " (+" + WithThousands(uint64_t{report.issues_count - shown}) + " more)";
  }
  return text;
}

// "Provide base, quote and date."
std::string ProvideHint(const DecodeReport& report) {
  std::vector<std::string_view> missing;
  for (const Issue& issue : report.issues) {
    if (issue.missing) missing.push_back(issue.path);
  }
  std::string hint;
  for (size_t i = 0; i < missing.size(); ++i) {
    hint += i == 0 ? "Provide " : i + 1 == missing.size() ? " and " : ", ";
    hint += missing[i];
  }
  if (!hint.empty()) hint += '.';
  return hint;
}

std::string HintText(const DecodeReport& report, std::string_view message) {
  std::vector<std::string> hints;
  if (std::string provide = ProvideHint(report); !provide.empty()) hints.push_back(provide);
  for (const Issue& issue : report.issues) {
    const bool known = issue.hint.empty() || message.find(issue.hint) != std::string_view::npos ||
                       std::ranges::find(hints, issue.hint) != hints.end();
    if (!issue.missing && !known && hints.size() < kIssuesInText) hints.push_back(issue.hint);
  }
  std::string text;
  for (const std::string& hint : hints) {
    if (!text.empty()) text += ' ';
    text += hint;
  }
  return text;
}

void AppendIssues(const DecodeReport& report, JsonWriter& out) {
  out.Key("issues");
  out.BeginArray();
  for (const Issue& issue : report.issues) {
    out.BeginObject();
    out.Field("code", issue.code);
    out.Field("path", issue.path);
    out.Field("message", issue.message);
    out.EndObject();
  }
  out.EndArray();
  if (report.issues_count > kIssuesInText) {
    out.Field("issuesCount", uint64_t{report.issues_count});
  }
}

void AppendRepairs(const Repairs& repairs, JsonWriter& out) {
  if (repairs.aliased.empty() && repairs.ignored.empty() && repairs.coerced.empty()) return;
  const auto list = [&out](std::string_view name, const std::vector<std::string>& keys) {
    if (keys.empty()) return;
    out.Key(name);
    out.BeginArray();
    for (const std::string& key : keys) {
      out.String(key);
    }
    out.EndArray();
  };
  out.Key("input");
  out.BeginObject();
  list("aliased", repairs.aliased);
  list("ignored", repairs.ignored);
  list("coerced", repairs.coerced);
  out.EndObject();
}

}  // namespace

Error ArgumentsError(std::string_view tool, const DecodeReport& report) {
  Error error{.code = ErrorCode::kInvalidArgument, .reason = "invalid_arguments"};
  error.message = MessageText(tool, report);
  error.hint = HintText(report, error.message);
  // The members of an object, without its braces: the writer starts in an open container.
  JsonWriter out(error.data);
  AppendIssues(report, out);
  AppendRepairs(report.repairs, out);
  return error;
}

}  // namespace ducat::json
