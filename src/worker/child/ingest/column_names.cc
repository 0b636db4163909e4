#include "worker/child/ingest/column_names.h"

#include <string_view>

#include "worker/child/rows/result_writer.h"

namespace ducat::ingest {
namespace {

std::string Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace

std::vector<std::string> HeaderNames(const std::vector<std::optional<std::string>>& written) {
  std::vector<std::string> names;
  names.reserve(written.size());
  for (size_t i = 0; i < written.size(); ++i) {
    std::string name = Trimmed(written[i].value_or(""));
    std::erase(name, '\0');  // the engine's names end there
    if (name.empty()) name = "column" + std::to_string(i);
    names.push_back(std::move(name));
  }
  return rows::UniqueNames(names);
}

}  // namespace ducat::ingest
