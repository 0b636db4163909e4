#pragma once
// RFC 6570 level 1 templates, the way resources use them: duckdb://schema/{table}. Matching is
// linear; the values are percent-decoded and then checked, so that no U+0000, '/' or '..' reaches a
// pack. Pure.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::mcp {

// Names between braces, in order. A brace that is not closed ends the search.
[[nodiscard]] std::vector<std::string_view> TemplateVariables(std::string_view uri_template);

// The values of the variables when `uri` is an expansion of the template. A variable takes at least
// one byte, up to the first occurrence of the literal that follows it.
[[nodiscard]] std::optional<std::map<std::string, std::string>> MatchTemplate(
    std::string_view uri_template, std::string_view uri);

// `value` percent-encoded for a variable: all but unreserved characters.
[[nodiscard]] std::string EncodeVariable(std::string_view value);

}  // namespace ducat::mcp
