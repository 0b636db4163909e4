#pragma once
// Cuts delimited text into records and fields, as the files of this world are written: quotes that
// stand inside a value or never close lose nothing and are told. Views into the caller's text; no
// allocation for each field. Job thread.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ducat::ingest {

inline constexpr int64_t kLineBytesMax = int64_t{16} << 20;
inline constexpr size_t kColumnsMax = 16'384;

struct CsvDialect {
  static constexpr char kNone = '\n';  // no delimiter: a line is a field; no quote: all is text
  char delimiter = ',';
  char quote = '"';
  bool backslash = false;  // \" is a quote; otherwise "" is
  bool remarks = false;    // what follows a # outside quotes is no data

  friend bool operator==(const CsvDialect&, const CsvDialect&) = default;
};

enum class LineEnd : uint8_t { kNone, kLf, kCrLf, kCr };

struct CsvField {
  std::string_view text;  // without the quotes around it
  bool quoted = false;
  bool escaped = false;  // holds escaped characters: see CsvValue
};

struct CsvRecord {
  std::vector<CsvField> fields;  // at most kColumnsMax + 1: of more there is no table
  size_t width = 0;              // fields as written
  std::string_view text;         // all of it, without its line end
  size_t bytes = 0;              // with its line end
  int64_t lines = 1;
  LineEnd end = LineEnd::kNone;
  bool odd = false;           // some quote breaks the rules of RFC 4180
  bool stray = false;         // for it stands inside a value
  bool unterminated = false;  // a quote that never closes was taken as text

  [[nodiscard]] bool is_blank() const;
};

// The value of a field as meant: escaped characters without their escapes.
[[nodiscard]] std::string CsvValue(const CsvField& field, const CsvDialect& dialect);

class CsvCutter {
 public:
  explicit CsvCutter(const CsvDialect& dialect);
  // Cuts the record at the start of `text`, which is not empty. False: the record may go on beyond
  // `text`; never when `is_last`.
  [[nodiscard]] bool Cut(std::string_view text, bool is_last, CsvRecord& record);

 private:
  // kText: the quote is no opening one. kOpen: it never closes.
  enum class Quoted : uint8_t { kClosed, kText, kOpen, kMore };
  bool CutField(size_t& at, CsvRecord& record);
  void CutPlain(size_t& at, CsvRecord& record) const;
  [[nodiscard]] bool BeginsRemark(size_t at) const;
  Quoted CutQuoted(size_t open, size_t& at, CsvRecord& record);
  Quoted FindClose(size_t open, size_t line_end, size_t& close, CsvRecord& record) const;
  [[nodiscard]] size_t AfterClose(size_t close) const;
  [[nodiscard]] bool EndsField(size_t at) const;
  [[nodiscard]] bool TakeLineEnd(size_t& at, CsvRecord& record) const;

  CsvDialect dialect_;
  std::array<bool, 256> stops_{};  // delimiter, quote, remark, line ends
  std::string_view text_;
  bool is_last_ = false;
};

}  // namespace ducat::ingest
