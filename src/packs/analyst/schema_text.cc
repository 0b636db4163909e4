#include "packs/analyst/schema_text.h"

#include <cmath>

#include "json/writer.h"
#include "mcp/text.h"
#include "packs/analyst/tools/markdown_table.h"

namespace ducat::analyst {
namespace {

std::string Heading(const TableEntry& entry) {
  std::string text = mcp::SingleLine(entry.name) + " (" + entry.kind + ", ";
  text += entry.row_count.has_value() ? std::to_string(*entry.row_count) + " rows, " : "";
  return text + mcp::SingleLine(entry.source) + ")";
}

std::string WholeSchema(const Catalog& catalog) {
  std::string text = "# Tables\n";
  for (const TableEntry* entry : catalog.Listed()) {
    if (entry->name.empty()) continue;
    text += "\n## " + Heading(*entry) + "\n\n";
    if (entry->status != TableStatus::kReady) {
      text += std::string(StatusName(entry->status));
      if (!entry->reason.empty()) text += ": " + mcp::SingleLine(entry->reason);
      text += "\n";
    }
    for (const worker::CatalogColumn& column : entry->columns) {
      text += "- " + mcp::SingleLine(column.name) + " " + mcp::SingleLine(column.type) + "\n";
    }
    if (text.size() > kSchemaTextMax) return {};
  }
  return text;
}

std::string NamesOnly(const Catalog& catalog) {
  std::string text =
      "# Tables\n\nToo many for their columns to be shown here: see duckdb://schema/{table}, or "
      "call "
      "list_tables and describe_table.\n\n";
  for (const std::string& name : catalog.Names()) {
    const std::string line = "- " + mcp::SingleLine(name) + "\n";
    if (text.size() + line.size() > kSchemaTextMax) return text + "- ...\n";
    text += line;
  }
  return text;
}

std::string NullPercent(int64_t nulls, int64_t rows) {
  if (rows == 0) return "0";
  std::string text;
  json::AppendShortest(
      text, std::round(10'000.0 * static_cast<double>(nulls) / static_cast<double>(rows)) / 100);
  return text;
}

void AppendColumns(std::string& text, const DescribeTableOut& described) {
  MarkdownTable table({"column", "type", "null %", "samples"});
  for (const DescribedColumn& column : described.columns) {
    std::string samples;
    for (const json::AnyValue& value : column.sample_values) {
      samples += (samples.empty() ? "" : ", ") + value.json;
    }
    table.Row({table.Name(column.name), column.type,
               NullPercent(column.null_count, described.row_count), samples});
  }
  text += "\n" + mcp::CleanForDisplay(table.text());
  if (std::cmp_less(described.columns.size(), described.column_count)) {
    text += "\nOnly the first " + std::to_string(described.columns.size()) + " of " +
            std::to_string(described.column_count) + " columns.\n";
  }
}

void AppendWarnings(std::string& text, const std::vector<LoadWarning>& warnings) {
  if (warnings.empty()) return;
  text += "\n## Findings while loading\n\n";
  for (const LoadWarning& warning : warnings) {
    text += "- " + warning.code;
    if (warning.column.has_value()) text += " (" + mcp::SingleLine(*warning.column) + ")";
    text += ": " + mcp::SingleLine(warning.message) + "\n";
  }
}

void AppendRelated(std::string& text, const std::string& name,
                   const std::vector<RelationshipCandidate>& related) {
  std::string lines;
  for (const RelationshipCandidate& one : related) {
    if (one.from_table != name && one.to_table != name) continue;
    std::string share;
    json::AppendShortest(share, one.containment);
    lines += "- " +
             mcp::SingleLine(one.from_table + "." + one.from_column + " → " + one.to_table + "." +
                             one.to_column) +
             " (containment " + share + ")\n";
  }
  if (!lines.empty()) text += "\n## Relationships found by their values\n\n" + lines;
}

}  // namespace

std::string SchemaMarkdown(const Catalog& catalog) {
  std::string whole = WholeSchema(catalog);
  return whole.empty() ? NamesOnly(catalog) : whole;
}

std::string TableMarkdown(const TablePage& page) {
  std::string text = "# " + Heading(page.entry) + "\n";
  if (page.described.columns.empty()) {
    text += "\nThe file holds no records.\n";
  } else {
    AppendColumns(text, page.described);
  }
  AppendWarnings(text, page.entry.warnings);
  AppendRelated(text, page.entry.name, page.related);
  return text;
}

}  // namespace ducat::analyst
