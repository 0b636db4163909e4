#pragma once
// A file of the repository as the tidy rules see it: its path, its text, and its code with comments
// and literals blanked out. Plain values; a Finding is one broken rule at one place.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::tidy {

struct SourceFile {
  std::string path;  // relative to the repository, with forward slashes
  std::string text;
  std::string code;  // of a C++ file: text in which comments and literals are spaces; else empty
};

struct Finding {
  std::string path;
  size_t line = 0;  // 1-based; 0: the file as a whole
  std::string rule;
  std::string message;
};
using Findings = std::vector<Finding>;

[[nodiscard]] SourceFile MakeSourceFile(std::string path, std::string text);

// Same length and lines as `text`: every character of a comment, string or character literal that
// is no newline becomes a space (the quotes too).
[[nodiscard]] std::string CodeOnly(std::string_view text);

[[nodiscard]] std::vector<std::string_view> Lines(std::string_view text);
[[nodiscard]] size_t LineOf(std::string_view text, size_t offset);

[[nodiscard]] bool IsCpp(std::string_view path);
[[nodiscard]] bool IsHeader(std::string_view path);
[[nodiscard]] std::string_view FolderOf(std::string_view path);  // "src/json" of "src/json/view.h"
[[nodiscard]] std::string_view FileNameOf(std::string_view path);  // "view.h"

[[nodiscard]] std::string Describe(const Finding& finding);

}  // namespace ducat::tidy
