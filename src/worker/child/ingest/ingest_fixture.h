#pragma once
// IngestFixture: an engine, a data directory to put files into, and one call that ingests a file
// and mounts the result as view `t`. For unit tests; not linked into the product.

#include <fstream>
#include <string>
#include <string_view>

#include "worker/child/engine/engine_fixture.h"
#include "worker/child/ingest/carrier.h"
#include "worker/child/ingest/ingest.h"
#include "worker/child/ingest/packed_text.h"

namespace ducat::ingest {

class IngestFixture : public engine::EngineFixture {
 protected:
  void Put(const std::filesystem::path& name, std::string_view bytes) const {
    std::filesystem::create_directories((data_dir() / name).parent_path());
    std::ofstream(data_dir() / name, std::ios::binary) << bytes;
  }

  Result<IngestedTable> Ingest(std::string_view name, SourceFormat format = SourceFormat::kCsv) {
    const std::string data = data_dir().string();
    const std::string scratch = private_dir().string();
    return IngestFile(connection(),
                      {.data_dir = data, .private_dir = scratch, .path = name, .format = format},
                      [] { return false; });
  }

  // Ingests and mounts. Gives "name TYPE, name TYPE", or the reason.
  std::string Load(std::string_view name, SourceFormat format = SourceFormat::kCsv) {
    table_ = Ingest(name, format);
    if (!table_.has_value()) return table_.error().reason;
    const std::filesystem::path file =
        table_->in_place ? data_dir() / name : private_dir() / "out.tmp";
    auto select = MountSql({.name = "t",
                            .source = std::string(name),
                            .file = file.string(),
                            .columns = table_->columns},
                           connection());
    if (!select.has_value()) return select.error().message;
    auto view = connection().Run("CREATE OR REPLACE TEMP VIEW t AS " + *select);
    if (!view.has_value()) return view.error().message;
    std::string text;
    for (const worker::CatalogColumn& column : table_->columns) {
      if (!text.empty()) text += ", ";
      text += column.name + " " + column.type;
    }
    return text;
  }

  // Ingests `bytes` as x.csv (or x.json).
  std::string LoadCsv(std::string_view bytes) {
    Put("x.csv", bytes);
    return Load("x.csv");
  }
  std::string LoadJson(std::string_view bytes) {
    Put("x.json", bytes);
    return Load("x.json", SourceFormat::kJson);
  }

  // Rows of `t` in order: "1|a;2|NULL".
  std::string Values() {
    auto rows = connection().Run("SELECT COLUMNS(*)::VARCHAR FROM t");
    if (!rows.has_value()) return rows.error().message;
    auto table = rows->AllText();
    if (!table.has_value()) return table.error().message;
    std::string text;
    for (const auto& row : *table) {
      if (!text.empty()) text += ";";
      for (size_t i = 0; i < row.size(); ++i) {
        text += (i == 0 ? "" : "|") + row[i].value_or("NULL");
      }
    }
    return text;
  }

  // Codes of the findings, sorted as they came: "code_like(a)=3 title_lines=1".
  std::string Findings() const {
    std::string text;
    if (!table_.has_value()) return text;
    for (const TypeFinding& finding : table_->findings) {
      if (!text.empty()) text += " ";
      text += finding.code;
      if (!finding.column.empty()) text += "(" + finding.column + ")";
      text += "=" + std::to_string(finding.count);
    }
    return text;
  }

  [[nodiscard]] std::filesystem::path private_dir() const { return root() / "private"; }

  Result<IngestedTable> table_ = IngestedTable{};
};

}  // namespace ducat::ingest
