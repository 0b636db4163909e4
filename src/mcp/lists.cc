#include "mcp/lists.h"

#include <algorithm>

namespace ducat::mcp {
namespace {

std::string_view MemberName(ListKind kind) {
  switch (kind) {
    case ListKind::kTools:
      return "tools";
    case ListKind::kPrompts:
      return "prompts";
    case ListKind::kResources:
      return "resources";
    case ListKind::kTemplates:
      return "resourceTemplates";
  }
  return "";
}

template <class Range, class Append>
void EncodeEach(const Range& entries, Revision revision, Append append,
                std::vector<std::string>& items) {
  for (const auto& entry : entries) {
    json::JsonWriter writer(items.emplace_back());
    append(entry, revision, writer);
  }
}

// A page of items: joined, and where the next one begins.
struct Page {
  std::string items;
  size_t end = 0;
};

std::string Join(const std::vector<std::string>& items, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) {
    if (i != begin) out.push_back(',');
    out.append(items[i]);
  }
  return out;
}

// Those of a page that the grant covers; the others take no room on it.
Page Pick(const std::vector<std::string>& items, const std::vector<Scopes>& scopes,
          const Grant& grant, size_t begin, size_t size) {
  Page page{.items = {}, .end = begin};
  for (size_t taken = 0; page.end < items.size(); ++page.end) {
    if (!MayUse(grant, scopes[page.end])) continue;
    if (taken++ == size) break;
    if (!page.items.empty()) page.items.push_back(',');
    page.items.append(items[page.end]);
  }
  return page;
}

}  // namespace

Params<void> Lists::Append(ListKind kind, const Request& request, ResultWriter& out) {
  size_t begin = 0;
  const json::View cursor = request.params.Find("cursor").value_or(json::View());
  if (!cursor.IsNull()) {
    auto text = AnyString(request.params, "cursor", "params.cursor", limits_.cursor_bytes_max);
    if (!text) return tl::unexpected(std::move(text).error());
    if (!text->empty()) {
      const auto position = cursors_.Decode(kind, *text);
      if (!position) return InvalidParams("params.cursor is not a cursor of this list");
      begin = *position;
    }
  }
  const Encoded& encoded = Items(kind, request.revision);
  begin = std::min(begin, encoded.items.size());
  json::JsonWriter& writer = out.json();
  writer.Key(MemberName(kind));
  writer.BeginArray();
  size_t end = std::min(begin + limits_.page_size, encoded.items.size());
  if (request.grant && !encoded.scopes.empty()) {
    const Page page = Pick(encoded.items, encoded.scopes, request.grant, begin, limits_.page_size);
    end = page.end;
    if (!page.items.empty()) writer.Raw(page.items);
  } else if (end > begin) {
    writer.Raw(begin == 0 ? std::string_view(encoded.first_page) : Join(encoded.items, begin, end));
  }
  writer.EndArray();
  if (end < encoded.items.size()) {
    writer.Field("nextCursor", cursors_.Encode(kind, encoded.version, static_cast<uint32_t>(end)));
  }
  out.Cacheable(kListTtlMs, !request.grant);
  return {};
}

std::string Lists::ToolsJson(Revision revision) {
  const Encoded& encoded = Items(ListKind::kTools, revision);
  return "[" + Join(encoded.items, 0, encoded.items.size()) + "]";
}

uint64_t Lists::VersionOf(ListKind kind) const {
  switch (kind) {
    case ListKind::kTools:
      return registry_.version(Registry::Change::kTools);
    case ListKind::kPrompts:
      return registry_.version(Registry::Change::kPrompts);
    case ListKind::kResources:
    case ListKind::kTemplates:
      return registry_.version(Registry::Change::kResources);
  }
  return 0;
}

const Lists::Encoded& Lists::Items(ListKind kind, Revision revision) {
  Encoded& encoded = cache_[static_cast<size_t>(kind)][static_cast<size_t>(revision)];
  const uint64_t version = VersionOf(kind);
  // Providers may list anew at any time, so their entries are not kept.
  if (encoded.version != version || kind == ListKind::kResources) {
    encoded.version = version;
    encoded.items.clear();
    encoded.scopes.clear();
    EncodeAll(kind, revision, encoded);
    if (std::ranges::all_of(encoded.scopes, &Scopes::empty)) encoded.scopes.clear();
    encoded.first_page = Join(encoded.items, 0, std::min(encoded.items.size(), limits_.page_size));
  }
  return encoded;
}

void Lists::EncodeAll(ListKind kind, Revision revision, Encoded& out) const {
  switch (kind) {
    case ListKind::kTools:
      EncodeEach(
          registry_.tools(), revision,
          [](const auto& tool, Revision at, json::JsonWriter& to) { AppendTool(*tool, at, to); },
          out.items);
      for (const auto& tool : registry_.tools()) {
        out.scopes.push_back(tool->info.scopes);
      }
      break;
    case ListKind::kPrompts:
      EncodeEach(registry_.prompts(), revision, AppendPrompt, out.items);
      for (const Prompt& prompt : registry_.prompts()) {
        out.scopes.push_back(prompt.scopes);
      }
      break;
    case ListKind::kResources:
      for (const ResourceProvider& provider : registry_.resources()) {
        if (provider.list) EncodeEach(provider.list(), revision, AppendResource, out.items);
        out.scopes.resize(out.items.size(), provider.scopes);
      }
      break;
    case ListKind::kTemplates:
      for (const ResourceProvider& provider : registry_.resources()) {
        EncodeEach(provider.templates, revision, AppendTemplate, out.items);
        out.scopes.resize(out.items.size(), provider.scopes);
      }
      break;
  }
}

}  // namespace ducat::mcp
