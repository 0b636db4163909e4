#pragma once
// CsvLayout: how a delimited text file is cut into fields. Guessed by the engine over the whole
// file; types are not its business (text_class.h). Job thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/engine/connection.h"

namespace ducat::ingest {

inline constexpr int64_t kLineBytesMax = int64_t{16} << 20;
inline constexpr size_t kColumnsMax = 16'384;

struct CsvLayout {
  std::string delimiter = ",";
  std::string quote, escape, comment;  // empty: none
  int64_t skip = 0;                    // lines before the first record
  size_t columns = 0;
  bool strict = true;       // false: stray quotes and mixed line ends are forgiven
  bool pad = false;         // true: missing fields of short records are NULL
  std::string compression;  // "gzip", "zstd"; empty: none
};

// What may be told about a file before it is looked at.
struct CsvHints {
  std::string delimiter;    // of .tsv; empty: guess
  std::string compression;  // by its first bytes
};

// How hard the guess is: each reads more forgivingly than the one before and costs no less.
enum class GuessEffort : uint8_t {
  kSample,  // the engine's sample; a whole read of the file then proves or refutes it
  kWholeFile,
  kForgiving  // whole file, stray quotes and mixed line ends allowed
};

// Layouts to try in this order.
[[nodiscard]] engine::EngineResult<std::vector<CsvLayout>> GuessLayouts(
    engine::Connection& connection, std::string_view path, const CsvHints& hints,
    GuessEffort effort);

// SQL of a table expression whose columns are c0, c1, ... of type VARCHAR, as written: unquoted
// empty fields are NULL, quoted ones the empty string. `header`: the first record is left out.
[[nodiscard]] std::string CsvSourceSql(const CsvLayout& layout, std::string_view path, bool header);
// "c12"
[[nodiscard]] std::string CsvColumn(size_t index);

}  // namespace ducat::ingest
