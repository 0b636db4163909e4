#include "worker/child/guard/show_tables.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "base/text.h"
#include "worker/child/engine/connection.h"

namespace ducat::guard {
namespace {

using engine::QuoteText;
using worker::CatalogTable;
using worker::child::MountedCatalog;

enum class What : uint8_t { kTables, kAllTables, kDatabases };

struct ListingText {
  What what = What::kTables;
  std::string schema;  // empty: own tables
  bool database = false;
  size_t end = 0;  // token behind it
};

std::string NameOf(const TokenList& tokens, size_t i) {
  if (tokens.Is(i, TokenKind::kQuotedName)) return DecodeToken(tokens.Text(i)).value_or("");
  return tokens.Is(i, TokenKind::kWord) ? std::string(tokens.Text(i)) : std::string();
}

bool EndsAt(const TokenList& tokens, size_t i) {
  return i >= tokens.tokens.size() || tokens.Is(i, TokenKind::kClose) ||
         tokens.Is(i, TokenKind::kSemicolon);
}

// FROM main, FROM memory.main, FROM db, FROM db.schema, from the token FROM on.
void ReadSchema(const TokenList& tokens, size_t from, ListingText& listing) {
  const std::string first = NameOf(tokens, from + 1);
  listing.end = from + 2;
  listing.database = EqualsIgnoringCase(first, "db");
  std::string schema = listing.database ? "main" : first;
  if (tokens.IsSymbol(from + 2, '.')) {
    schema = NameOf(tokens, from + 3);
    listing.end = from + 4;
  }
  if (listing.database) listing.schema = schema;
}

std::optional<ListingText> ReadListing(const TokenList& tokens, size_t i) {
  const bool show = tokens.IsWord(i, "show");
  if (!show && !tokens.IsWord(i, "describe") && !tokens.IsWord(i, "desc")) return std::nullopt;
  if (!show && EndsAt(tokens, i + 1)) return ListingText{.what = What::kAllTables, .end = i + 1};
  if (show && tokens.IsWord(i + 1, "all") && tokens.IsWord(i + 2, "tables")) {
    return ListingText{.what = What::kAllTables, .end = i + 3};
  }
  const std::string name = AsciiLower(NameOf(tokens, i + 1));
  if (name == "databases" && EndsAt(tokens, i + 2)) {
    return ListingText{.what = What::kDatabases, .end = i + 2};
  }
  if (name != "tables") return std::nullopt;
  ListingText listing{.what = What::kTables, .end = i + 2};
  if (tokens.IsWord(i + 2, "from")) ReadSchema(tokens, i + 2, listing);
  if (!EndsAt(tokens, listing.end)) return std::nullopt;
  return listing;
}

// SELECT over rows, or over no row of the same types.
std::string Rows(const std::string& rows, std::string_view names, std::string_view no_row) {
  const std::string columns(names);
  if (rows.empty()) {
    return "SELECT * FROM (VALUES (" + std::string(no_row) + ")) AS _t(" + columns + ") LIMIT 0";
  }
  return "SELECT * FROM (VALUES " + rows + ") AS _t(" + columns + ")";
}

void AppendRow(std::string& rows, const std::string& row) {
  if (!rows.empty()) rows += ", ";
  rows += "(" + row + ")";
}

std::string TableRows(const MountedCatalog& catalog, const ListingText& listing) {
  std::set<std::string> names;
  for (const auto& [key, table] : catalog.tables()) {
    if (!listing.database) {
      names.insert(key);
    } else if (EqualsIgnoringCase(table.db_schema, listing.schema)) {
      names.insert(table.db_name);
    }
  }
  std::string rows;
  for (const std::string& name : names) {
    AppendRow(rows, QuoteText(name));
  }
  return Rows(rows, "name", "''");
}

std::string TextList(const std::vector<worker::CatalogColumn>& columns, bool types) {
  std::string list;
  for (const worker::CatalogColumn& column : columns) {
    if (!list.empty()) list += ", ";
    list += QuoteText(types ? column.type : column.name);
  }
  return "[" + list + "]::VARCHAR[]";
}

std::string AllTableRows(const MountedCatalog& catalog) {
  std::string rows;
  for (const auto& [key, table] : catalog.tables()) {
    AppendRow(rows, "'memory', 'main', " + QuoteText(key) + ", " + TextList(table.columns, false) +
                        ", " + TextList(table.columns, true) + ", false");
  }
  return Rows(rows, "database, schema, name, column_names, column_types, temporary",
              "'', '', '', []::VARCHAR[], []::VARCHAR[], false");
}

std::string DatabaseRows(const MountedCatalog& catalog) {
  std::string rows = "('memory')";
  if (catalog.has_database()) rows = "('db'), ('memory')";
  return Rows(rows, "database_name", "''");
}

std::string SelectFor(const MountedCatalog& catalog, const ListingText& listing) {
  switch (listing.what) {
    case What::kTables:
      return TableRows(catalog, listing);
    case What::kAllTables:
      return AllTableRows(catalog);
    case What::kDatabases:
      return DatabaseRows(catalog);
  }
  return {};
}

}  // namespace

std::vector<Replacement> ListingReplacements(const TokenList& tokens,
                                             const MountedCatalog& catalog) {
  std::vector<Replacement> replacements;
  for (size_t i = 0; i < tokens.tokens.size(); ++i) {
    if (i > 0 && !tokens.IsSymbol(i - 1, '(')) continue;
    const auto listing = ReadListing(tokens, i);
    if (!listing.has_value()) continue;
    const uint64_t start = tokens.tokens[i].offset;
    const uint64_t end = tokens.tokens[listing->end - 1].end();
    replacements.push_back({.span = {start, end - start}, .text = SelectFor(catalog, *listing)});
  }
  return replacements;
}

}  // namespace ducat::guard
