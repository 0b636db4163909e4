#include "worker/child/ingest/csv_record.h"

#include <algorithm>
#include <cstddef>

namespace ducat::ingest {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

size_t Index(char c) {
  return static_cast<unsigned char>(c);
}

}  // namespace

bool CsvRecord::is_blank() const {
  return fields.size() == 1 && !fields.front().quoted &&
         fields.front().text.find_first_not_of(" \t") == kNowhere;
}

std::string CsvValue(const CsvField& field, const CsvDialect& dialect) {
  if (!field.escaped) return std::string(field.text);
  const char escape = dialect.backslash ? '\\' : dialect.quote;
  std::string value;
  value.reserve(field.text.size());
  for (size_t i = 0; i < field.text.size(); ++i) {
    const bool is_pair = field.text[i] == escape && i + 1 < field.text.size() &&
                         (field.text[i + 1] == dialect.quote || field.text[i + 1] == escape);
    if (is_pair) ++i;
    value.push_back(field.text[i]);
  }
  return value;
}

CsvCutter::CsvCutter(const CsvDialect& dialect) : dialect_(dialect) {
  for (const char c : {dialect.delimiter, dialect.quote, '\n', '\r'}) {
    stops_.at(Index(c)) = true;
  }
  if (dialect.remarks) stops_.at(Index('#')) = true;
}

bool CsvCutter::BeginsRemark(size_t at) const {
  return dialect_.remarks && text_[at] == '#';
}

bool CsvCutter::Cut(std::string_view text, bool is_last, CsvRecord& record) {
  text_ = text;
  is_last_ = is_last;
  record.fields.clear();
  record.lines = 1;
  record.end = LineEnd::kNone;
  record.odd = false;
  record.stray = false;
  record.unterminated = false;
  record.width = 0;
  size_t at = 0;
  while (true) {
    if (!CutField(at, record)) return false;
    ++record.width;
    if (record.fields.size() > kColumnsMax + 1) record.fields.pop_back();
    if (at == text_.size() || text_[at] == '\n' || text_[at] == '\r') break;
    ++at;  // the delimiter
  }
  record.text = text_.substr(0, at);
  if (at == text_.size() && !is_last_) return false;
  if (!TakeLineEnd(at, record)) return false;
  record.bytes = at;
  return true;
}

bool CsvCutter::TakeLineEnd(size_t& at, CsvRecord& record) const {
  if (at == text_.size()) return true;
  if (text_[at] == '\n') {
    record.end = LineEnd::kLf;
    ++at;
    return true;
  }
  if (at + 1 == text_.size() && !is_last_) return false;
  const bool is_pair = at + 1 < text_.size() && text_[at + 1] == '\n';
  record.end = is_pair ? LineEnd::kCrLf : LineEnd::kCr;
  at += is_pair ? 2 : 1;
  return true;
}

bool CsvCutter::CutField(size_t& at, CsvRecord& record) {
  size_t open = at;
  while (open < text_.size() && text_[open] == ' ') {
    ++open;
  }
  const bool has_quote = dialect_.quote != CsvDialect::kNone;
  if (has_quote && open < text_.size() && text_[open] == dialect_.quote) {
    switch (CutQuoted(open, at, record)) {
      case Quoted::kClosed:
        return true;
      case Quoted::kMore:
        return false;
      case Quoted::kText:
        record.odd = true;
        record.stray = true;
        break;
      case Quoted::kOpen:
        record.odd = true;
        record.unterminated = true;
        break;
    }
  }
  CutPlain(at, record);
  return true;
}

void CsvCutter::CutPlain(size_t& at, CsvRecord& record) const {
  size_t end = at;
  while (true) {
    while (end < text_.size() && !stops_[Index(text_[end])]) {
      ++end;
    }
    if (end == text_.size() || EndsField(end) || BeginsRemark(end)) break;
    record.odd = true;
    record.stray = true;
    ++end;
  }
  record.fields.push_back({.text = text_.substr(at, end - at)});
  at = end;
  if (at < text_.size() && BeginsRemark(at)) {
    at = std::min(text_.find_first_of("\r\n", at), text_.size());
  }
}

bool CsvCutter::EndsField(size_t at) const {
  const char c = text_[at];
  return c == dialect_.delimiter || c == '\n' || c == '\r';
}

// The end of the field when the quote at `close` closes it; blanks may follow.
size_t CsvCutter::AfterClose(size_t close) const {
  size_t after = close + 1;
  while (after < text_.size() && text_[after] == ' ') {
    ++after;
  }
  return after == text_.size() || EndsField(after) ? after : kNowhere;
}

// The first quote that closes the one at `open`. A quote inside that is not escaped is kept when
// the value ends in its line; otherwise the one at `open` was no opening one. So every search ends
// at the next quote of another line, and a file of such quotes is read once.
CsvCutter::Quoted CsvCutter::FindClose(size_t open, size_t line_end, size_t& close,
                                       CsvRecord& record) const {
  CsvField& field = record.fields.back();
  const std::array<char, 2> wanted{dialect_.quote, dialect_.backslash ? '\\' : dialect_.quote};
  const std::string_view any(wanted.data(), dialect_.backslash ? 2 : 1);
  bool is_stray = false;
  for (size_t at = open + 1;;) {
    at = text_.find_first_of(any, at);
    if (is_stray && at > line_end) return Quoted::kText;
    if (at == kNowhere) return is_last_ ? Quoted::kOpen : Quoted::kMore;
    const bool may_escape = dialect_.backslash == (text_[at] == '\\');
    if (may_escape && at + 1 == text_.size() && !is_last_) return Quoted::kMore;
    const bool is_pair =
        at + 1 < text_.size() && (dialect_.backslash || text_[at + 1] == dialect_.quote);
    if (may_escape && is_pair) {
      field.escaped = true;
      at += 2;
      continue;
    }
    const size_t after = text_[at] == dialect_.quote ? AfterClose(at) : kNowhere;
    if (after != kNowhere) {
      if (after == text_.size() && !is_last_) return Quoted::kMore;
      close = at;
      return Quoted::kClosed;
    }
    if (at > line_end) return Quoted::kText;
    is_stray = true;
    record.odd = true;
    record.stray = true;
    ++at;
  }
}

CsvCutter::Quoted CsvCutter::CutQuoted(size_t open, size_t& at, CsvRecord& record) {
  record.fields.push_back({.quoted = true});
  const bool was_odd = record.odd;
  const bool was_stray = record.stray;
  size_t close = 0;
  const size_t line_end = std::min(text_.find_first_of("\r\n", open), text_.size());
  Quoted found = FindClose(open, line_end, close, record);
  if (found == Quoted::kMore && static_cast<int64_t>(text_.size()) > kLineBytesMax) {
    found = Quoted::kOpen;
  }
  if (found != Quoted::kClosed) {
    record.odd = was_odd;
    record.stray = was_stray;
    record.fields.pop_back();
    return found;
  }
  record.fields.back().text = text_.substr(open + 1, close - open - 1);
  record.lines += std::count(text_.begin() + static_cast<std::ptrdiff_t>(open),
                             text_.begin() + static_cast<std::ptrdiff_t>(close), '\n');
  const size_t after = AfterClose(close);
  record.odd = record.odd || open > at || after != close + 1;
  at = after;
  return Quoted::kClosed;
}

}  // namespace ducat::ingest
