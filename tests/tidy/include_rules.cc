#include "tidy/include_rules.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace ducat::tidy {
namespace {

struct Arrow {
  std::string_view layer;
  std::vector<std::string_view> may_include;  // besides itself
};

// `pack` stands for the pack that the including file belongs to.
const std::vector<Arrow>& Arrows() {
  static const std::vector<Arrow> arrows = {
      {"base", {}},
      {"json", {"base"}},
      {"mcp", {"json", "base"}},
      {"fetch", {"json", "base"}},
      {"transport", {"mcp", "fetch", "json", "base"}},
      {"worker", {"json", "base"}},
      {"worker/child", {"worker", "json", "base"}},
      {"canvas", {"worker", "json", "base"}},
      {"dataframe", {"mcp", "canvas", "worker", "json", "base"}},
      {"pack", {"pack/messages", "dataframe", "mcp", "canvas", "fetch", "worker", "json", "base"}},
      {"pack/messages", {"worker", "json", "base"}},
      {"pack/jobs", {"pack/messages", "worker/child", "worker", "json", "base"}},
  };
  return arrows;
}

struct Owned {
  std::string_view header;  // prefix of what stands between the brackets
  std::string_view folder;  // the only folder whose files may include it; empty: none may
  std::string_view why;
};
constexpr std::array kOwned = {
    Owned{"simdjson", "src/json/", "read JSON through json::View"},
    Owned{"duckdb", "src/worker/child/engine/", "talk to the engine through engine::Connection"},
    Owned{"boost/beast", "src/transport/", "HTTP types belong to the transport"},
    Owned{"curl/", "src/fetch/", "fetch upstream through fetch::HttpClient"},
    Owned{"CLI/", "src/app/", "the command line is the application's"},
    Owned{"boost/asio.hpp", "", "costs 5 s a file; include the asio headers you use"},
    Owned{"iostream", "", "streams cost 1.4 s a file; use fmt or base/log.h"},
    Owned{"regex", "", "std::regex recurses on input; write the scan"},
};

struct Include {
  std::string target;
  bool quoted = false;
  size_t line = 0;
};

std::vector<Include> IncludesOf(const SourceFile& file) {
  std::vector<Include> includes;
  size_t number = 0;
  for (const std::string_view line : Lines(file.text)) {
    ++number;
    if (!line.starts_with("#include ") || line.size() < 11) continue;
    const char open = line[9];
    const size_t close = line.find(open == '"' ? '"' : '>', 10);
    if (close == std::string_view::npos) continue;
    includes.push_back({.target = std::string(line.substr(10, close - 10)),
                        .quoted = open == '"',
                        .line = number});
  }
  return includes;
}

// "packs/analyst/jobs" becomes {"pack/jobs", "packs/analyst"}, "json" {"json", ""}.
std::pair<std::string, std::string> PackForm(const std::string& layer) {
  if (!layer.starts_with("packs/")) return {layer, {}};
  const size_t end = layer.find('/', 6);
  return {"pack" + (end == std::string::npos ? std::string() : layer.substr(end)),
          layer.substr(0, end)};
}

bool MayInclude(const std::string& from, const std::string& to) {
  if (from == to || from == "app" || from.empty()) return true;
  const auto [from_form, from_pack] = PackForm(from);
  const auto [to_form, to_pack] = PackForm(to);
  if (!to_pack.empty() && to_pack != from_pack) return false;
  for (const Arrow& arrow : Arrows()) {
    if (arrow.layer != from_form) continue;
    return std::find(arrow.may_include.begin(), arrow.may_include.end(), to_form) !=
           arrow.may_include.end();
  }
  return false;
}

void CheckArrow(const SourceFile& file, const Include& include, Findings& findings) {
  const std::string from = LayerOf(std::string_view(file.path).substr(4));
  const std::string to = LayerOf(include.target);
  // A test may use what tests share.
  if (to.empty() && include.target.starts_with("support/") && file.path.ends_with("_test.cc"))
    return;
  if (to.empty()) {
    findings.push_back({file.path, include.line, "include-path",
                        fmt::format("\"{}\" is no path below src/", include.target)});
  } else if (!MayInclude(from, to)) {
    findings.push_back({file.path, include.line, "layer-arrow",
                        fmt::format("{} must not include {} (\"{}\"); the arrows are in "
                                    "CONTRIBUTING.md",
                                    from, to, include.target)});
  }
}

void CheckOwned(const SourceFile& file, const Include& include, Findings& findings) {
  for (const Owned& owned : kOwned) {
    const bool whole = owned.header.ends_with(".hpp") || owned.folder.empty();
    if (whole ? include.target != owned.header : !include.target.starts_with(owned.header))
      continue;
    if (!owned.folder.empty() && file.path.starts_with(owned.folder)) continue;
    findings.push_back({file.path, include.line, "third-party-header",
                        fmt::format("<{}> belongs to {}: {}", include.target,
                                    owned.folder.empty() ? "nobody" : owned.folder, owned.why)});
  }
}

}  // namespace

std::string LayerOf(std::string_view path_below_src) {
  const std::string_view folder = FolderOf(path_below_src);
  if (folder.starts_with("packs/")) {
    const size_t pack_end = folder.find('/', 6);
    if (pack_end == std::string_view::npos) return std::string(folder);
    const std::string_view part = folder.substr(pack_end + 1);
    if (part.starts_with("jobs")) return std::string(folder.substr(0, pack_end + 5));
    if (part.starts_with("messages")) return std::string(folder.substr(0, pack_end + 9));
    return std::string(folder.substr(0, pack_end));
  }
  if (folder.starts_with("worker/child")) return "worker/child";
  const std::string top(folder.substr(0, folder.find('/')));
  if (top == "app") return top;
  for (const Arrow& arrow : Arrows()) {
    if (arrow.layer == top) return top;
  }
  return {};
}

void CheckIncludes(const SourceFile& file, Findings& findings) {
  if (!IsCpp(file.path) || !file.path.starts_with("src/")) return;
  for (const Include& include : IncludesOf(file)) {
    if (include.quoted) CheckArrow(file, include, findings);
    if (!include.quoted) CheckOwned(file, include, findings);
  }
}

}  // namespace ducat::tidy
