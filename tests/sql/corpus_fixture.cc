#include "corpus_fixture.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

namespace ducat::corpus {
namespace {

namespace fs = std::filesystem;

struct File {
  std::string_view path, text;
};

constexpr std::array<File, 14> kFiles{{
    {"orders.csv",
     "id,customer_id,name,amount,status,ts\n1,1,alpha,1.5,paid,2024-01-05 10:00:00\n"
     "2,1,beta,2.5,open,2024-02-06 11:00:00\n3,2,gamma,3.5,paid,2024-03-07 12:00:00\n"
     "4,3,delta,4.5,open,2024-04-08 13:00:00\n"},
    {"customers.csv", "customer_id,city\n1,Berlin\n2,Paris\n3,Rome\n"},
    {"trade.csv",
     "country,import,export,load,set,copy,update,call,use,force,begin,comment\n"
     "de,1,2,3,4,5,6,7,8,9,10,first\nfr,11,12,13,14,15,16,17,18,19,20,second\n"},
    {"prices.csv", "sym,ts,price\nA,2024-01-01 00:00:00,10.0\nA,2024-01-02 00:00:00,11.0\n"},
    {"trades.csv", "sym,ts,qty\nA,2024-01-01 12:00:00,5\nA,2024-01-03 00:00:00,7\n"},
    {"events.ndjson",
     "{\"id\":1,\"tags\":[\"x\",\"y\"],\"p\":{\"a\":1,\"b\":\"u\"}}\n"
     "{\"id\":2,\"tags\":[\"z\"],\"p\":{\"a\":2,\"b\":\"v\"}}\n"},
    {"2024/jan.csv", "m,v\n1,10\n"},
    {"2024/feb.csv", "m,v\n2,20\n"},
    {"odd[1].csv", "a,b\n7,8\n"},
    {"odd1.csv", "a,b\n1,1\n"},
    {"notes.txt", "plain text\n"},
    {".env", "SECRET=1\n"},
    {".secret.csv", "a\n1\n"},
    {"../outside.csv", "a\n1\n"},
}};

struct Table {
  std::string_view name, source, select;
};
constexpr std::array<Table, 12> kTables{{
    {"orders", "orders.csv", "FROM read_csv('@/orders.csv')"},
    {"customers", "customers.csv", "FROM read_csv('@/customers.csv')"},
    {"trade", "trade.csv", "FROM read_csv('@/trade.csv')"},
    {"prices", "prices.csv", "FROM read_csv('@/prices.csv')"},
    {"trades", "trades.csv", "FROM read_csv('@/trades.csv')"},
    {"events", "events.ndjson", "FROM read_json('@/events.ndjson')"},
    {"t_2024_jan", "2024/jan.csv", "FROM read_csv('@/2024/jan.csv')"},
    {"t_2024_feb", "2024/feb.csv", "FROM read_csv('@/2024/feb.csv')"},
    // Tables of canvas.md 12, for the statements of the canvas profile.
    {"t", "staged t",
     "SELECT DATE '2024-01-01' + i::INTEGER AS date, 100.0 + i AS rate, 'EUR' AS "
     "base_currency, 'USD' AS quote_currency FROM range(10) r(i)"},
    {"u", "staged u",
     "SELECT DATE '2024-01-01' + i::INTEGER AS date, 50.0 + i AS rate, 'EUR' AS "
     "base_currency, 'JPY' AS quote_currency FROM range(0, 10, 2) r(i)"},
    {"d", "staged d", "SELECT 10::BIGINT AS value, 2024 AS fiscal"},
    {"fx_rates", "fx_rates",
     "SELECT DATE '2024-01-01' + (i // 3)::INTEGER AS date, ['USD', 'JPY', "
     "'GBP'][i % 3 + 1] AS currency, 1.0 + i AS rate FROM range(9) r(i)"},
}};

std::string Replaced(std::string_view text, const std::string& directory) {
  std::string out;
  for (const char c : text) {
    if (c == '@') {
      out += directory;
    } else {
      out += c;
    }
  }
  return out;
}

Failure FromEngine(const engine::EngineError& error) {
  return Internal(error.type + ": " + error.message);
}

}  // namespace

Fixture::~Fixture() {
  connection_.reset();
  database_.reset();
  std::error_code ignored;
  fs::current_path("/", ignored);
  if (!root_.empty()) fs::remove_all(root_, ignored);
}

guard::Guard& Fixture::guard(worker::Profile profile) {
  return profile == worker::Profile::kCanvas ? *canvas_ : *analyst_;
}

Result<std::unique_ptr<Fixture>> Fixture::Build(const FixtureSettings& settings) {
  auto fixture = std::make_unique<Fixture>(Key{});
  std::string pattern = (fs::temp_directory_path() / "ducat-corpus-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return Internal("no temporary directory");
  fixture->root_ = fs::canonical(pattern);
  for (const char* folder : {"data", "tables", "private"}) {
    fs::create_directory(fixture->root_ / folder);
  }
  fixture->WriteFiles();
  fs::current_path(fixture->data_dir());  // as a worker does
  TRY_ASSIGN(engine::Database database,
             engine::Database::Open({.data_dir = fixture->data_dir(),
                                     .tables_dir = fixture->root_ / "tables",
                                     .private_dir = fixture->root_ / "private",
                                     .memory_limit_bytes = settings.memory_limit_bytes,
                                     .threads = settings.threads,
                                     .canvas_profile = settings.canvas_profile}));
  fixture->database_ = std::make_unique<engine::Database>(std::move(database));
  TRY_ASSIGN(engine::Connection connection, fixture->database_->Connect());
  fixture->connection_ = std::make_unique<engine::Connection>(std::move(connection));
  TRY(fixture->MakeTables());
  fixture->analyst_ =
      std::make_unique<guard::Guard>(worker::Profile::kAnalyst, fixture->data_dir());
  fixture->canvas_ = std::make_unique<guard::Guard>(worker::Profile::kCanvas, "");
  return fixture;
}

void Fixture::WriteFiles() const {
  const fs::path data = data_dir();
  fs::create_directory(data / "2024");
  fs::create_directory(data / "sub");
  for (const File& file : kFiles)
    std::ofstream(data / file.path) << file.text;
  fs::create_symlink("../outside.csv", data / "link.csv");
  fs::create_symlink("../missing.csv", data / "dangling.csv");
}

Result<worker::CatalogTable> Fixture::MakeTable(const std::string& name, const std::string& source,
                                                const std::string& select) {
  worker::CatalogTable table{.name = name, .source = source};
  table.file = root_ / "tables" / (name + ".parquet");
  auto copied = connection_->Run("COPY (" + select + ") TO " + engine::QuoteText(table.file) +
                                 " (FORMAT parquet)");
  if (!copied.has_value()) return FromEngine(copied.error());
  if (auto rows = copied->AllText(); !rows.has_value()) return FromEngine(rows.error());
  auto prepared = connection_->Prepare(select);
  if (!prepared.has_value()) return FromEngine(prepared.error());
  for (const engine::ResultColumn& column : prepared->columns) {
    table.columns.push_back({.name = column.name, .type = column.type});
  }
  return table;
}

namespace {

// The tables of tables.txt: a name, its SELECT, a blank line.
std::vector<std::pair<std::string, std::string>> ReadTables() {
  std::vector<std::pair<std::string, std::string>> tables;
  std::ifstream in(DUCAT_CORPUS_DIR "/tables.txt");
  bool in_table = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    if (line.empty()) {
      in_table = false;
    } else if (!in_table) {
      tables.emplace_back(line, "");
      in_table = true;
    } else {
      tables.back().second += line + "\n";
    }
  }
  return tables;
}

}  // namespace

Status Fixture::MakeTables() {
  worker::CatalogDelta delta{.version = 1};
  for (const auto& [name, select] : ReadTables()) {
    TRY_ASSIGN(worker::CatalogTable table, MakeTable(name, "staged " + name, select));
    delta.tables.push_back(std::move(table));
  }
  for (const Table& entry : kTables) {
    TRY_ASSIGN(worker::CatalogTable table,
               MakeTable(std::string(entry.name), std::string(entry.source),
                         Replaced(entry.select, data_dir())));
    delta.tables.push_back(std::move(table));
  }
  for (const File& file : kFiles) {
    if (!file.path.starts_with('.')) delta.files.emplace_back(file.path);
  }
  delta.outside_files = {"dangling.csv", "link.csv"};
  return catalog_.Apply(delta, *connection_);
}

}  // namespace ducat::corpus
