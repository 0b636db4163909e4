#include "worker/child/ingest/json_repair.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "base/text.h"
#include "worker/child/ingest/json_depth.h"
#include "worker/child/ingest/json_rewriter.h"
#include "worker/child/ingest/text_window.h"

namespace ducat::ingest {
namespace {

constexpr size_t kBadShown = 20;
constexpr size_t kShownBytes = 200;
constexpr std::string_view kBlanks = " \t\r\n";

// Values one after the other, or the elements of root arrays.
class Repairer {
 public:
  Repairer(const JsonRepairJob& job, std::FILE* out)
      : job_(job), out_(out), rewriter_(job.as_text) {
    repair_.path = job.out;
  }

  Result<JsonRepair> Run() {
    TRY(window_.Open(job_.path));
    while (true) {
      TRY_ASSIGN(const bool any, SkipBlanks());
      if (!any) break;
      if (job_.interrupted()) {
        return Fail(ErrorCode::kCancelled, "cancelled", "The call was cancelled");
      }
      if (TakeBrackets()) continue;
      TRY(TakeValue());
    }
    if (in_array_ && repair_.rejected == 0) Reject("the array does not end", {});
    if (failed_ || std::fflush(out_) != 0) {
      return Fail(ErrorCode::kResourceExhausted, "temp_limit", "No room for a copy of the records");
    }
    if (repair_.records == 0) {
      const std::string why = repair_.bad.empty() ? "there is no record" : repair_.bad.front().why;
      const int64_t line = repair_.bad.empty() ? 1 : repair_.bad.front().line;
      return Fail(ErrorCode::kFailedPrecondition, "corrupt",
                  "No record is JSON; line " + std::to_string(line) + ": " + why);
    }
    repair_.inexact = rewriter_.inexact();
    return std::move(repair_);
  }

 private:
  // False at the end of the file.
  Result<bool> SkipBlanks() {
    while (true) {
      const std::string_view text = window_.text();
      const size_t blanks = std::min(text.find_first_not_of(kBlanks), text.size());
      Take(blanks);
      if (blanks < text.size()) return true;
      if (window_.is_last()) return false;
      TRY(window_.Fill());
    }
  }
  void Take(size_t bytes) {
    const std::string_view text = window_.text().substr(0, bytes);
    line_ += std::count(text.begin(), text.end(), '\n');
    window_.Take(bytes);
  }
  // The brackets and commas of root arrays.
  bool TakeBrackets() {
    const char c = window_.text().front();
    const bool opens = c == '[' && !in_array_ && (repair_.records == 0 || was_array_);
    const bool closes = in_array_ && c == ']';
    const bool separates = in_array_ && c == ',';
    if (!opens && !closes && !separates) return false;
    if (opens) was_array_ = true;
    if (opens || closes) in_array_ = opens;
    Take(1);
    return true;
  }
  Status TakeValue() {
    auto outcome = rewriter_.Read(window_.text(), window_.is_last());
    for (; outcome == JsonRewriter::Outcome::kMore;
         outcome = rewriter_.Read(window_.text(), window_.is_last())) {
      if (window_.text().size() > kJsonRecordBytesMax) {
        return Fail(ErrorCode::kFailedPrecondition, "too_large", RecordTooLarge(line_));
      }
      TRY(window_.Fill());
    }
    if (outcome == JsonRewriter::Outcome::kValue) {
      Accept();
      return {};
    }
    TRY(FillLine(rewriter_.at()));
    RejectFrom(rewriter_.at(), rewriter_.why());
    return {};
  }
  // Brings the rest of the line in which something went wrong.
  Status FillLine(size_t at) {
    while (!window_.is_last() && window_.text().size() < kJsonRecordBytesMax &&
           window_.text().find('\n', at) == std::string_view::npos) {
      TRY(window_.Fill());
    }
    return {};
  }
  void Accept() {
    const std::string_view text = window_.text();
    const size_t end = rewriter_.at();
    const size_t next = text.find_first_not_of(" \t\r", end);
    const char c = next < text.size() ? text[next] : '\n';
    const bool is_object = rewriter_.out().starts_with('{');
    const bool may_follow =
        in_array_ ? c == ',' || c == ']' || c == '\n' : c == '\n' || c == '{' || c == '[';
    if (!may_follow) return RejectFrom(next, "text behind a value");
    if (was_array_ && !in_array_) return RejectFrom(end, "text behind the array");
    if (repair_.records > 0 && is_object != objects_ && !in_array_) {
      return RejectFrom(end, objects_ ? "not an object" : "an object among other values");
    }
    if (repair_.records++ == 0) objects_ = is_object;
    repair_.double_keys += rewriter_.double_keys();
    repair_.nonstandard_numbers += rewriter_.nonstandard_numbers();
    failed_ = failed_ ||
              std::fwrite(rewriter_.out().data(), 1, rewriter_.out().size(), out_) !=
                  rewriter_.out().size() ||
              std::fputc('\n', out_) == EOF;
    Take(end);
  }
  // A bad record ends with its line; in an array, before the next element.
  void RejectFrom(size_t at, const char* why) {
    const std::string_view text = window_.text();
    const size_t line_end = std::min(text.find('\n', std::min(at, text.size())), text.size());
    const size_t end = in_array_ ? ElementEnd(text) : line_end;
    Reject(why, text.substr(0, end));
    Take(std::max<size_t>(end, 1));
  }
  void Reject(const char* why, std::string_view text) {
    ++repair_.rejected;
    if (repair_.bad.size() == kBadShown) return;
    repair_.bad.push_back(
        {.line = line_, .why = why, .text = std::string(ClipUtf8(Trim(text), kShownBytes))});
  }
  static size_t ElementEnd(std::string_view text) {
    int depth = 0;
    bool in_text = false;
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (in_text) {
        if (c == '\\') ++i;
        in_text = c != '"' && c != '\n';
        continue;
      }
      if (c == '"') in_text = true;
      if (depth == 0 && (c == ',' || c == ']')) return i;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && depth > 0) --depth;
    }
    return text.size();
  }

  const JsonRepairJob& job_;
  std::FILE* out_;
  JsonRewriter rewriter_;
  TextWindow window_;
  JsonRepair repair_;
  int64_t line_ = 1;
  bool in_array_ = false;
  bool was_array_ = false;
  bool objects_ = false;  // the first record is one, so all are
  bool failed_ = false;
};

}  // namespace

Result<JsonRepair> RepairJson(const JsonRepairJob& job) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(job.out.c_str(), "wbe"),
                                                            &std::fclose);
  if (out == nullptr) return Internal("cannot write into the private directory");
  return Repairer(job, out.get()).Run();
}

}  // namespace ducat::ingest
