#include "worker/child/engine/connection.h"

namespace ducat::engine {
namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  quoted.reserve(text.size() + 2);
  for (const char c : text) {
    if (c == quote) quoted.push_back(quote);
    quoted.push_back(c);
  }
  quoted.push_back(quote);
  return quoted;
}

}  // namespace

std::string QuoteIdentifier(std::string_view name) {
  return Quoted(name, '"');
}

std::string QuoteText(std::string_view text) {
  return Quoted(text, '\'');
}

std::string QuotePath(std::string_view path) {
  std::string escaped;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[') {
      escaped.append({'[', c, ']'});
    } else {
      escaped.push_back(c);
    }
  }
  return QuoteText(escaped);
}

}  // namespace ducat::engine
