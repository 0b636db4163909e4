#include <algorithm>
#include <utility>

#include "base/text.h"
#include "worker/child/guard/paths.h"
#include "worker/child/guard/tree_walk.h"

namespace ducat::guard {
namespace {

constexpr std::string_view kDepthOption = "maximum_depth = 64";

bool LimitsDepth(std::string_view reader) {
  const auto family = ReaderFamilyOf(reader);
  return family == ReaderFamily::kJson;
}

}  // namespace

void TreeWalk::TableFunction(const Rule& rule, json::View node) {
  if (++tables_ > input_.limits.table_references_max) {
    return TooComplex("table references", input_.limits.table_references_max, tables_);
  }
  Fields(rule, node, "function");
  const auto function = node.Find("function");
  if (!function.has_value() || TextOf(*function, "class") != "FUNCTION") {
    return Unsupported("table function");
  }
  const std::string name = AsciiLower(TextOf(*function, "function_name"));
  const bool reads =
      ReaderFamilyOf(name).has_value() &&
      JudgeFunction(name, FunctionPlace::kTable, input_.profile).answer == FunctionAnswer::kAllowed;
  if (reads && input_.neighbours != nullptr) {
    Add({.rank = FindingClass::kTableOrPath,
         .code = "file_access_denied",
         .message = "The function " + name + " reads files; objects of a database may not.",
         .rule = "path"},
        LocationOf(*function));
  } else if (reads) {
    Reader(*function, name, LocationOf(*function));
  }
  is_table_function_ = true;
  Node(NodePlace::kExpression, *function);
  is_table_function_ = false;
}

void TreeWalk::Reader(json::View function, std::string_view name, uint64_t location) {
  const ReaderCall call = ReadCall(function, name);
  const auto [bracket, close] = Brackets(location);
  for (const auto* fault : {&call.path_fault, &call.option_fault}) {
    if (!fault->has_value()) continue;
    const bool path = fault == &call.path_fault;
    Add({.rank = path ? FindingClass::kTableOrPath : FindingClass::kOther,
         .code = (*fault)->code,
         .message = (*fault)->message,
         .hint = (*fault)->hint,
         .rule = path ? "path" : "reader_option"},
        PlaceOf(**fault, bracket, close));
  }
  if (call.paths.size() == 1 && close < input_.tokens.tokens.size()) {
    call_span_ = Span{location, input_.tokens.tokens[close].end() - location};
  }
  ReadFiles(call, name);
  call_span_.reset();
  const bool final = input_.written_paths != nullptr;
  if (final || call.limits_depth || !LimitsDepth(name)) return;
  if (close >= input_.tokens.tokens.size()) return Unsupported("call");
  result_.replacements.push_back(
      {.span = {input_.tokens.tokens[close].offset, 0}, .text = ", " + std::string(kDepthOption)});
}

// An option is where its name stands, which the tree tells for `name = value` alone; a path that
// has no place of its own begins behind the bracket.
uint64_t TreeWalk::PlaceOf(const ReaderFault& fault, size_t bracket, size_t close) const {
  const TokenList& tokens = input_.tokens;
  for (size_t i = bracket + 1; !fault.option.empty() && i + 1 < close; ++i) {
    const bool is_named = tokens.IsSymbol(i + 1, '=') || tokens.IsSymbol(i + 1, ':');
    if (is_named && AsciiLower(tokens.Text(i)) == fault.option) return tokens.tokens[i].offset;
  }
  if (fault.location != kNowhere || bracket + 1 >= tokens.tokens.size()) return fault.location;
  return tokens.tokens[bracket + 1].offset;
}

// The brackets of the call whose name begins at this place.
std::pair<size_t, size_t> TreeWalk::Brackets(uint64_t location) const {
  const size_t count = input_.tokens.tokens.size();
  size_t open = input_.tokens.At(location).value_or(count);
  while (open < count && !input_.tokens.IsSymbol(open, '(')) {
    ++open;
  }
  return {open, open < count ? input_.tokens.Closing(open) : count};
}

void TreeWalk::ReadFiles(const ReaderCall& call, std::string_view name) {
  size_t count = 0;
  for (const PathLiteral& literal : call.paths) {
    const auto files = Files(literal);
    if (!files.has_value()) return;
    count += files->size();
    const bool too_many = count > kFilesPerLiteralMax || (TakesOneFile(name) && count > 1);
    if (too_many) {
      return Add({.rank = FindingClass::kTableOrPath,
                  .code = "too_many_files",
                  .message = "The call of " + std::string(name) + " names more than " +
                             (TakesOneFile(name) ? "one file." : "10,000 files."),
                  .hint = "Name fewer files.",
                  .rule = "path"},
                 literal.location);
    }
    ReplaceLiteral(call, literal, *files, name);
  }
}

std::optional<std::vector<std::string>> TreeWalk::Files(const PathLiteral& literal) {
  if (input_.written_paths != nullptr) {
    if (input_.written_paths->contains(literal.value)) return std::vector<std::string>{};
    Unsupported("path");
    return std::nullopt;
  }
  PathVerdict verdict = JudgePath(literal.value, input_.data_dir, input_.catalog);
  if (verdict.left_out > 0) {
    result_.notes.push_back(WithThousands(verdict.left_out) +
                            " file(s) that lead out of the data directory were left out.");
  }
  if (verdict.code.empty()) {
    result_.files.insert(result_.files.end(), verdict.files.begin(), verdict.files.end());
    if (verdict.files.size() == 1) NoteTable(verdict.files.front());
    return std::move(verdict.files);
  }
  Finding finding{.rank = FindingClass::kTableOrPath,
                  .code = verdict.code,
                  .message = verdict.message,
                  .hint = "Call list_tables to see the files that can be read and their tables.",
                  .rule = "path"};
  const std::string_view base = BaseName(literal.value);
  for (const auto& [name, table] : input_.catalog.tables()) {
    if (base.empty() || BaseName(table.source) != base || !table.db_name.empty()) continue;
    finding.hint = "The file " + table.source + " of the data directory is the table " + name + ".";
    finding.replacement = name;
    finding.repair_span = call_span_;
    break;
  }
  Add(std::move(finding), literal.location);
  return std::nullopt;
}

// The engine guesses layout and types of a text file from its beginning; its table has looked at
// every value.
void TreeWalk::NoteTable(std::string_view file) {
  for (const auto& [name, table] : input_.catalog.tables()) {
    const bool is_in_place = !table.file.empty() && table.file.ends_with(table.source);
    if (table.source != file || !table.db_name.empty() || is_in_place) continue;
    std::string note = "The file " + table.source + " is the table " + SqlName(name) +
                       ", which is read by all its values; here types are guessed.";
    if (std::ranges::find(result_.notes, note) == result_.notes.end()) {
      result_.notes.push_back(std::move(note));
    }
    return;
  }
}

void TreeWalk::ReplaceLiteral(const ReaderCall& call, const PathLiteral& literal,
                              const std::vector<std::string>& files, std::string_view reader) {
  if (input_.written_paths != nullptr) return;
  const auto token = input_.tokens.At(literal.location);
  const bool exact = token.has_value() && DecodeToken(input_.tokens.Text(*token)) == literal.value;
  if (!exact) {
    return Add({.rank = FindingClass::kTableOrPath,
                .code = "path_not_literal",
                .message = "This form of string cannot be used as a path.",
                .hint = "Write the path as a plain string: 'folder/file.csv'.",
                .rule = "path"},
               literal.location);
  }
  std::string text;
  for (const std::string& file : files) {
    const std::string path = LiteralPath(file);
    if (!text.empty()) text += ", ";
    text += engine::QuoteText(path);
    result_.written_paths.insert(path);
  }
  if (!call.list && !TakesOneFile(reader)) text = "[" + text + "]";
  const Token& place = input_.tokens.tokens[*token];
  result_.replacements.push_back({.span = {place.offset, place.length}, .text = std::move(text)});
}

// FROM 'x.csv': becomes a call of the reader that the engine would take.
void TreeWalk::PathTable(json::View node, std::string_view name, uint64_t location) {
  if (input_.profile != worker::Profile::kAnalyst) {
    return Add({.rank = FindingClass::kTableOrPath,
                .code = "file_access_denied",
                .message = "There is no table of this name, and files cannot be read here.",
                .hint = "Use SHOW TABLES to list the tables.",
                .rule = "path"},
               location);
  }
  if (input_.written_paths != nullptr) return Unsupported("path");
  const PathLiteral literal{.value = std::string(name), .location = location};
  const auto files = Files(literal);
  if (!files.has_value()) return;
  const std::string_view reader = ReaderOf(name);
  const auto token = input_.tokens.At(location);
  const bool exact = token.has_value() && DecodeToken(input_.tokens.Text(*token)) == name;
  if (reader.empty() || !exact) {
    return Add({.rank = FindingClass::kTableOrPath,
                .code = reader.empty() ? "unknown_table" : "path_not_literal",
                .message = reader.empty() ? "The ending of the file does not say how to read it."
                                          : "This form of name cannot be used as a path.",
                .hint = "Name the reader: read_csv('...'), read_json('...') or read_text('...').",
                .rule = "path"},
               location);
  }
  std::string text(reader);
  text += "([";
  for (const std::string& file : *files) {
    const std::string path = LiteralPath(file);
    if (!text.ends_with('[')) text += ", ";
    text += engine::QuoteText(path);
    result_.written_paths.insert(path);
  }
  text += ']';
  if (LimitsDepth(reader)) text += ", " + std::string(kDepthOption);
  text += ')';
  if (TextOf(node, "alias").empty()) {
    text += " AS " + engine::QuoteIdentifier(BaseName(name));
  }
  Span span{input_.tokens.tokens[*token].offset, input_.tokens.tokens[*token].length};
  // A call cannot stand behind these words, a FROM clause can.
  const size_t before = *token == 0 ? 0 : *token - 1;
  if (*token > 0 && input_.tokens.IsWord(before, "table")) {
    span = {input_.tokens.tokens[before].offset,
            span.offset + span.length - input_.tokens.tokens[before].offset};
    text.insert(0, "FROM ");
  } else if (*token > 0) {
    for (const std::string_view word : {"describe", "desc", "show", "summarize"}) {
      if (input_.tokens.IsWord(before, word)) text.insert(0, "FROM ");
    }
  }
  result_.replacements.push_back({.span = span, .text = std::move(text)});
  result_.functions.insert(std::string(reader));
}

}  // namespace ducat::guard
