#pragma once
// Text of data as a cell of a Markdown table inside a JSON string, in one pass: pipes and
// backslashes get a backslash, line breaks become \n, characters that hide, reorder or command are
// shown as \uXXXX (protocol.md 14.6), and all of that is escaped for JSON. Pure functions, any
// thread.

#include <string>
#include <string_view>

namespace ducat::rows {

void AppendMarkdownCell(std::string& out, std::string_view text);

}  // namespace ducat::rows
