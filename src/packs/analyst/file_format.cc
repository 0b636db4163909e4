#include "packs/analyst/file_format.h"

#include <array>

#include "base/text.h"

namespace ducat::analyst {
namespace {

struct Extension {
  std::string_view text;
  FileFormat format;
  bool may_be_compressed;
};
constexpr std::array kExtensions{Extension{".csv", FileFormat::kCsv, true},
                                 Extension{".tsv", FileFormat::kTsv, true},
                                 Extension{".json", FileFormat::kJson, true},
                                 Extension{".jsonl", FileFormat::kJsonl, true},
                                 Extension{".ndjson", FileFormat::kNdjson, true},
                                 Extension{".parquet", FileFormat::kParquet, false}};
constexpr std::array<std::string_view, 2> kCompressions{".gz", ".zst"};

bool EndsWith(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         EqualsIgnoringCase(text.substr(text.size() - ending.size()), ending);
}

}  // namespace

std::optional<FileName> ParseFileName(std::string_view name) {
  size_t compression = 0;
  for (const std::string_view ending : kCompressions) {
    if (EndsWith(name, ending)) compression = ending.size();
  }
  const std::string_view inner = name.substr(0, name.size() - compression);
  for (const Extension& extension : kExtensions) {
    if (!EndsWith(inner, extension.text)) continue;
    if (compression != 0 && !extension.may_be_compressed) return std::nullopt;
    return FileName{.format = extension.format,
                    .extension_bytes = extension.text.size() + compression};
  }
  return std::nullopt;
}

}  // namespace ducat::analyst
