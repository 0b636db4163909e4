#include "tidy/text_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ducat::tidy {
namespace {

constexpr size_t kCommentLinesMin = 2;
constexpr size_t kCommentLinesMax = 8;
// Names that say nothing; the last two also inside a name.
constexpr std::array<std::string_view, 7> kEmptyNames = {"util",   "utils", "helper", "helpers",
                                                         "common", "misc",  "stuff"};

size_t Columns(std::string_view line) {
  return static_cast<size_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // not a UTF-8 continuation byte
  }));
}

bool IsSnakeCase(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

void CheckLines(const SourceFile& file, Findings& findings) {
  if (!IsCpp(file.path)) return;
  size_t number = 0;
  for (const std::string_view line : Lines(file.text)) {
    ++number;
    if (Columns(line) > kLineColumnsMax) {
      findings.push_back({file.path, number, "line-length",
                          fmt::format("{} columns, at most {}", Columns(line), kLineColumnsMax)});
    }
    if (line.find('\t') != std::string_view::npos) {
      findings.push_back({file.path, number, "tab", "indent with spaces"});
    }
    if (line.ends_with(' ') || line.ends_with('\r')) {
      findings.push_back({file.path, number, "trailing-space", "remove it"});
    }
  }
  if (number > kFileLinesMax) {
    findings.push_back(
        {file.path, 0, "file-length",
         fmt::format("{} lines, at most {}: split it by idea", number, kFileLinesMax)});
  }
}

void CheckFileName(const SourceFile& file, Findings& findings) {
  if (!IsCpp(file.path)) return;
  const std::string_view name = FileNameOf(file.path);
  const std::string_view stem = name.substr(0, name.rfind('.'));
  const bool empty_name =
      std::find(kEmptyNames.begin(), kEmptyNames.end(), stem) != kEmptyNames.end() ||
      stem.find("manager") != std::string_view::npos;
  if (empty_name) {
    findings.push_back({file.path, 0, "file-name", "name it after the thing that it is"});
  }
  if (!IsSnakeCase(stem)) {
    findings.push_back({file.path, 0, "file-name", "file names are snake_case"});
  }
}

void CheckHeaderComment(const SourceFile& file, Findings& findings) {
  if (!IsHeader(file.path)) return;
  const std::vector<std::string_view> lines = Lines(file.text);
  if (lines.empty() || lines[0] != "#pragma once") {
    findings.push_back({file.path, 1, "header-comment", "the first line must be #pragma once"});
    return;
  }
  size_t comment = 0;
  while (comment + 1 < lines.size() && lines[comment + 1].starts_with("//"))
    ++comment;
  if (comment < kCommentLinesMin || comment > kCommentLinesMax) {
    findings.push_back(
        {file.path, 2, "header-comment",
         fmt::format("{} comment lines after #pragma once, expected {} to {}: what it is, why, who "
                     "owns it, what may fail",
                     comment, kCommentLinesMin, kCommentLinesMax)});
  }
}

}  // namespace ducat::tidy
