#include "worker/child/engine/folders.h"

#include <algorithm>
#include <string_view>

#include "json/writer.h"

namespace ducat::engine {
namespace {

void EraseAll(std::string& text, std::string_view part) {
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
}

std::string Escaped(std::string_view text) {
  std::string quoted;
  json::JsonWriter(quoted).String(text);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

std::vector<std::string> FoldersOf(const EngineSettings& settings) {
  std::vector<std::string> folders;
  const std::string database = settings.db_file.substr(0, settings.db_file.rfind('/') + 1);
  for (std::string folder : {settings.data_dir, settings.tables_dir, database}) {
    if (folder.empty()) continue;
    if (!folder.ends_with('/')) folder += '/';
    folders.push_back(std::move(folder));
  }
  std::ranges::sort(folders, {},
                    [](const std::string& folder) { return SIZE_MAX - folder.size(); });
  return folders;
}

std::string WithoutFolders(std::string text, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    EraseAll(text, folder);
    if (const std::string escaped = Escaped(folder); escaped != folder) EraseAll(text, escaped);
  }
  return text;
}

}  // namespace ducat::engine
