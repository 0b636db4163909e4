#pragma once
// JsonWriter: appends JSON to a string, the hot path from rows to bytes. The caller opens and
// closes; commas are put by the writer. Numbers follow protocol.md 2.2: integers beyond +-(2^53-1)
// are strings, doubles are the shortest text that reads back the same, NaN and infinities are
// strings, -0.0 is 0. Text that is not valid UTF-8 is repaired with U+FFFD. No newline is ever
// written. Not thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

namespace ducat::json {

class JsonWriter {
 public:
  // Appends to `out`, which must outlive the writer.
  explicit JsonWriter(std::string& out) : out_(out) {}

  void BeginObject();
  void EndObject();
  void BeginArray();
  void EndArray();
  void Key(std::string_view name);  // escaped; the next call writes its value

  void Null();
  void Bool(bool value);
  void Integer(int64_t value);
  void Unsigned(uint64_t value);
  void Double(double value);
  void Float(float value);
  void String(std::string_view text);
  // Bytes that are JSON already (a value, or `[..],[..]` inside an open array). Not checked.
  void Raw(std::string_view json);
  // A string whose content is escaped already: written between quotes as it is.
  void EscapedString(std::string_view escaped);

  // Key + value in one call.
  void Field(std::string_view name, std::string_view text) { Key(name), String(text); }
  void Field(std::string_view name, const char* text) { Key(name), String(text); }
  void Field(std::string_view name, const std::string& text) { Key(name), String(text); }
  void Field(std::string_view name, bool value) { Key(name), Bool(value); }
  void Field(std::string_view name, int64_t value) { Key(name), Integer(value); }
  void Field(std::string_view name, int value) { Key(name), Integer(value); }
  void Field(std::string_view name, uint64_t value) { Key(name), Unsigned(value); }
  void Field(std::string_view name, double value) { Key(name), Double(value); }
  void RawField(std::string_view name, std::string_view json) { Key(name), Raw(json); }

  [[nodiscard]] std::string& out() { return out_; }

 private:
  void Separate();
  std::string& out_;
  bool first_ = true;  // nothing in the open container yet
  bool after_key_ = false;
};

// Appends `text` as the inside of a JSON string: escaped, made valid UTF-8.
void AppendEscaped(std::string& out, std::string_view text);
// The opposite, for the command line: the text that an escaped JSON string inside stands for.
[[nodiscard]] std::string Unescape(std::string_view escaped);
// Shortest text of a finite double that reads back the same (integral values without ".0").
void AppendShortest(std::string& out, double value);
void AppendShortest(std::string& out, float value);

}  // namespace ducat::json
