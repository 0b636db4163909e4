#pragma once
// Text: the text form of an answer, built in its escaped form so that finished bytes of a worker
// can be spliced in without being read again. The first block is the answer, the second the notices
// (protocol.md 14.6). Plain pieces are cleaned: C0/C1 controls but tab and newline, ANSI sequences,
// zero-width and bidirectional controls are shown escaped.

#include <string>
#include <string_view>
#include <vector>

namespace ducat::mcp {

class Text {
 public:
  Text& Add(std::string_view plain);
  Text& Line(std::string_view plain);          // SingleLine + newline
  Text& AddEscaped(std::string_view escaped);  // inside of a JSON string already, from a worker
  Text& Notice(std::string_view plain);        // one sentence for the second block

  [[nodiscard]] const std::string& escaped() const { return escaped_; }
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }  // plain
  [[nodiscard]] bool empty() const { return escaped_.empty() && notices_.empty(); }

 private:
  std::string escaped_;
  std::vector<std::string> notices_;
};

// Makes text from data harmless to show (see above). Names and descriptions never contain data.
[[nodiscard]] std::string CleanForDisplay(std::string_view text);

// The same, line breaks and tabs escaped too: a name from data stays within the line it stands in.
[[nodiscard]] std::string SingleLine(std::string_view text);

// A cell of a Markdown table: pipes, backslashes and line breaks escaped.
[[nodiscard]] std::string MarkdownCell(std::string_view text);

}  // namespace ducat::mcp
