#include "worker/child/ingest/json_rewriter.h"

#include "base/text.h"
#include "worker/child/ingest/value_class.h"

namespace ducat::ingest {
namespace {

constexpr std::string_view kListStep = "[]";

bool IsInexact(TextClasses text_class) {
  return (text_class & (kInteger128 | kLongNumber | kLostNumber)) != 0;
}

int HexValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  const char lower = AsciiLower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

JsonRewriter::Outcome JsonRewriter::Read(std::string_view text, bool is_last) {
  text_ = text;
  is_last_ = is_last;
  at_ = 0;
  out_.clear();
  path_.clear();
  double_keys_ = 0;
  nonstandard_numbers_ = 0;
  numbers_.clear();
  why_ = "";
  const bool read = Value(out_);
  // A number or word at the end might go on.
  if (!is_last_ && at_ >= text_.size()) return Outcome::kMore;
  if (!read) return Outcome::kBad;
  for (const auto& [path, classes] : numbers_) {
    inexact_[path] |= classes;
  }
  return Outcome::kValue;
}

bool JsonRewriter::Fail(const char* why) {
  why_ = at_ >= text_.size() ? "the text ends inside a value" : why;
  return false;
}

void JsonRewriter::SkipBlanks() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
    ++at_;
  }
}

bool JsonRewriter::Value(std::string& out) {
  SkipBlanks();
  const char c = Peek();
  if (c == '{') return Object(out);
  if (c == '[') return List(out);
  if (c == '"') return Text(out);
  const bool is_word = c == '-' && at_ + 1 < text_.size() && AsciiLower(text_[at_ + 1]) == 'i';
  if ((c == '-' && !is_word) || IsAsciiDigit(c)) return Number(out);
  return Word(out);
}

bool JsonRewriter::Member(Members& members) {
  std::string key;
  if (Peek() != '"') return Fail("expected a key in quotes");
  if (!Text(key)) return false;
  SkipBlanks();
  if (Peek() != ':') return Fail("expected : behind a key");
  ++at_;
  const size_t length = path_.size();
  if (!path_.empty()) path_ += kPathStep;
  path_.append(key, 1, key.size() - 2);
  std::string value;
  const bool read = Value(value);
  path_.resize(length);
  if (!read) return false;
  const auto [place, is_new] = members.places.try_emplace(key, members.all.size());
  if (is_new) {
    members.all.emplace_back(std::move(key), std::move(value));
  } else {
    members.all[place->second].second = std::move(value);
    ++double_keys_;
  }
  return true;
}

template <class Each>
bool JsonRewriter::Parts(char close, const char* expected, Each each) {
  ++at_;
  for (SkipBlanks(); Peek() != close; SkipBlanks()) {
    if (!each()) return false;
    SkipBlanks();
    if (Peek() == close) break;
    if (Peek() != ',') return Fail(expected);
    ++at_;
  }
  ++at_;
  return true;
}

bool JsonRewriter::Object(std::string& out) {
  Members members;
  const bool read = Parts('}', "expected , or } behind a value", [&] { return Member(members); });
  if (!read) return false;
  out += '{';
  for (const auto& [key, value] : members.all) {
    if (out.back() != '{') out += ',';
    out.append(key).append(":").append(value);
  }
  out += '}';
  return true;
}

bool JsonRewriter::List(std::string& out) {
  out += '[';
  const size_t length = path_.size();
  if (!path_.empty()) path_ += kPathStep;
  path_ += kListStep;
  const bool read = Parts(']', "expected , or ] behind a value", [&] {
    if (out.back() != '[') out += ',';
    return Value(out);
  });
  path_.resize(length);
  out += ']';
  return read;
}

bool JsonRewriter::Text(std::string& out) {
  const size_t start = at_++;
  while (Peek() != '"' || at_ >= text_.size()) {
    if (at_ >= text_.size()) return Fail("");
    if (Peek() == '\n' || Peek() == '\r') return Fail("a text does not end in its line");
    if (static_cast<unsigned char>(Peek()) < 0x20) return Fail("a control character in a text");
    if (Peek() == '\\') {
      if (!Escape()) return false;
    } else {
      ++at_;
    }
  }
  ++at_;
  out += text_.substr(start, at_ - start);
  return true;
}

bool JsonRewriter::Unicode(unsigned& unit) {
  unit = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const int digit = HexValue(Peek());
    if (digit < 0) return Fail("\\u without four hexadecimal digits");
    unit = unit * 16 + static_cast<unsigned>(digit);
  }
  return true;
}

bool JsonRewriter::Escape() {
  ++at_;
  const char c = Peek();
  if (at_ >= text_.size()) return Fail("");
  if (std::string_view("\"\\/bfnrtu").find(c) == std::string_view::npos) {
    return Fail("an unknown escape in a text");
  }
  ++at_;
  if (c != 'u') return true;
  unsigned high = 0;
  if (!Unicode(high)) return false;
  if (high < 0xD800 || high > 0xDFFF) return true;
  unsigned low = 0;
  const bool is_pair = high < 0xDC00 && text_.substr(at_, 2) == "\\u";
  if (!is_pair) return Fail("half a surrogate pair in a text");
  at_ += 2;
  if (!Unicode(low)) return false;
  return low >= 0xDC00 && low <= 0xDFFF ? true : Fail("half a surrogate pair in a text");
}

bool JsonRewriter::Number(std::string& out) {
  const size_t start = at_;
  const auto digits = [this] {
    const size_t first = at_;
    while (IsAsciiDigit(Peek())) {
      ++at_;
    }
    return at_ - first;
  };
  if (Peek() == '-') ++at_;
  const bool has_zero = Peek() == '0';
  const size_t whole = digits();
  if (whole == 0 || (has_zero && whole > 1)) return Fail("not a number");
  if (Peek() == '.') {
    ++at_;
    if (digits() == 0) return Fail("not a number");
  }
  if (AsciiLower(Peek()) == 'e') {
    ++at_;
    if (Peek() == '+' || Peek() == '-') ++at_;
    if (digits() == 0) return Fail("not a number");
  }
  const std::string_view number = text_.substr(start, at_ - start);
  NoteNumber(number);
  const bool quoted = !as_text_.empty() && as_text_.contains(path_);
  if (quoted) out += '"';
  out += number;
  if (quoted) out += '"';
  return true;
}

void JsonRewriter::NoteNumber(std::string_view number) {
  constexpr size_t kSafeBytes = 16;
  const bool is_text = !as_text_.empty() && as_text_.contains(path_);
  const bool is_safe =
      number.size() <= kSafeBytes && number.find_first_of("eE") == std::string_view::npos;
  if (is_safe && !is_text) return;
  const TextClasses found = ClassifyValue(number).text_class;
  if (is_text || IsInexact(found)) numbers_[path_] |= found;
}

bool JsonRewriter::Word(std::string& out) {
  for (const std::string_view word :
       {"true", "false", "null", "NaN", "Infinity", "-Infinity", "nan", "inf", "-inf"}) {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() < word.size() && word.starts_with(rest)) {
      at_ = text_.size();
      return Fail("");
    }
    const bool ends = rest.size() == word.size() ||
                      (rest.size() > word.size() && !IsAsciiDigit(rest[word.size()]) &&
                       AsciiLower(rest[word.size()]) == AsciiUpper(rest[word.size()]));
    const bool is_number = word != "true" && word != "false" && word != "null";
    if (rest.starts_with(word) && ends) {
      at_ += word.size();
      out += word;
      nonstandard_numbers_ += is_number ? 1 : 0;
      return true;
    }
  }
  return Fail("expected a value");
}

}  // namespace ducat::ingest
