#include "json/issue_words.h"

#include <algorithm>

#include "base/text.h"
#include "json/fault.h"
#include "json/tape.h"
#include "json/whole_number.h"
#include "json/writer.h"

namespace ducat::json {

namespace {

constexpr size_t kReceivedBytesMax = 100;

std::string_view ExpectedName(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kBoolean:
      return "boolean";
    case Kind::kInteger:
      return "integer";
    case Kind::kNumber:
      return "number";
    case Kind::kString:
    case Kind::kEnum:
      return "string";
    case Kind::kArray:
    case Kind::kRawElements:
      return "array";
    case Kind::kObject:
    case Kind::kMap:
      return "object";
    case Kind::kOptional:
    case Kind::kNullable:
      return ExpectedName(*shape.inner);
    case Kind::kRaw:
    case Kind::kAny:
      return "value";
  }
  return "value";
}

std::string_view ReceivedName(View value) {
  switch (value.type()) {
    case Type::kNull:
      return "null";
    case Type::kBoolean:
      return "boolean";
    case Type::kInteger:
    case Type::kUnsigned:
    case Type::kDouble:
      return "number";
    case Type::kString:
      return "string";
    case Type::kArray:
      return "array";
    case Type::kObject:
      return "object";
  }
  return "value";
}

std::string WithArticle(std::string_view noun) {
  const bool vowel = std::string_view("aeio").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  out += ClipUtf8(text, kReceivedBytesMax);
  if (text.size() > kReceivedBytesMax) out += "...";
  return out += '"';
}

// What the hints call the value: its path, or the arguments as a whole.
std::string Subject(const Place& place) {
  std::string path = PathText(place);
  return path.empty() ? "the arguments" : path;
}

Issue MakeIssue(const Place& place, std::string_view code, std::string message, std::string hint) {
  return Issue{.code = std::string(code),
               .path = ClipIssue(PathText(place)),
               .message = ClipIssue(std::move(message)),
               .hint = ClipIssue(std::move(hint))};
}

std::string NotWhat(View received) {
  if (received.IsNull()) return "null";
  // A number where another kind of number is due: only its value tells the difference.
  if (received.IsNumber()) return received.ToJson();
  return WithArticle(ReceivedName(received));
}

std::string Options(const Shape& shape) {
  std::string out;
  for (const std::string_view name : shape.names) {
    if (!out.empty()) out += '|';
    out += '"' + std::string(name) + '"';
  }
  return out;
}

struct FormatWords {
  std::string_view form, example;
};

FormatWords WordsOf(Format format) {
  switch (format) {
    case Format::kDate:
      return {"YYYY-MM-DD", "2024-01-31"};
    case Format::kDateTime:
      return {"YYYY-MM-DDThh:mm:ssZ", "2024-01-31T09:30:00Z or 2024-01-31T09:30:00+02:00"};
    case Format::kUri:
      return {"a URI", "https://example.org/page"};
    case Format::kNone:
      break;
  }
  return {"text", "text"};
}

std::string BoundMessage(std::string_view side, Counted counted, std::string_view sign,
                         std::string_view bound) {
  std::string out = "Too ";
  out += side;
  out += counted == Counted::kNumber       ? ": expected number to be "
         : counted == Counted::kCharacters ? ": expected string to have "
                                           : ": expected array to have ";
  out += sign;
  out += bound;
  if (counted == Counted::kCharacters) out += " characters";
  if (counted == Counted::kItems) out += " items";
  return out;
}

}  // namespace

std::string PathText(const Place& place) {
  std::vector<const Place*> steps;
  for (const Place* at = &place; at->parent != nullptr; at = at->parent) {
    steps.push_back(at);
  }
  std::string path;
  for (const Place* step : std::vector<const Place*>(steps.rbegin(), steps.rend())) {
    if (step->is_element) {
      AppendIndexToPath(path, step->index);
    } else {
      AppendKeyToPath(path, step->key);
    }
  }
  return path;
}

std::string ClipIssue(std::string text) {
  constexpr std::string_view kCut = "...";
  if (text.size() <= kIssueBytesMax) return text;
  text.resize(ClipUtf8(text, kIssueBytesMax - kCut.size()).size());
  return text += kCut;
}

Issue MissingIssue(const Place& place, const Shape& shape) {
  Issue issue = MakeIssue(
      place, "invalid_type",
      "Invalid input: expected " + std::string(ExpectedName(shape)) + ", received undefined",
      "Provide " + Subject(place) + ".");
  issue.missing = true;
  return issue;
}

namespace {

// Digits that no integer of ours holds; a client may have sent them without quotes.
bool IsWideInteger(View value) {
  const auto text = value.AsString();
  return text.has_value() && text->find_first_not_of("-0123456789") == text->npos &&
         JudgeNumber(*text) == NumberForm::kTooLarge;
}

// [8,"x"] as the object that was meant: {"1":8,"2":"x"}
std::string Numbered(View array) {
  std::string text;
  JsonWriter out(text);
  out.BeginObject();
  size_t number = 0;
  array.ForEachElement([&](View value) {
    out.RawField(std::to_string(++number), value.ToJson());
    return text.size() < kReceivedBytesMax;
  });
  out.EndObject();
  return text.size() <= kReceivedBytesMax ? text : "{\"1\": ..., \"2\": ...}";
}

}  // namespace

Issue TypeIssue(const Place& place, const Shape& shape, View received) {
  const std::string_view expected = ExpectedName(shape);
  if (shape.kind == Kind::kInteger && IsWideInteger(received)) {
    return MakeIssue(place, "too_big",
                     "Invalid input: " + std::string(ClipUtf8(*received.AsString(), 40)) +
                         " does not fit into 64 bits",
                     "Send " + Subject(place) + " as an integer from " + LowestText(shape) +
                         " to " + HighestText(shape) + ".");
  }
  const bool positional =
      shape.kind == Kind::kMap && shape.inner->kind == Kind::kAny && received.IsArray();
  return MakeIssue(place, "invalid_type",
                   "Invalid input: expected " + std::string(expected) + ", received " +
                       std::string(ReceivedName(received)),
                   "Send " + Subject(place) + " as " + WithArticle(expected) + ", not " +
                       NotWhat(received) + (positional ? ": " + Numbered(received) : "") + ".");
}

Issue UnknownKeysIssue(const Place& place, const Shape& shape,
                       const std::vector<UnknownKey>& unknown, size_t count) {
  std::string quoted, plain, near;
  const auto join = [](std::string& list, std::string_view item) {
    if (!list.empty()) list += ", ";
    list += item;
  };
  for (const UnknownKey& one : unknown) {
    join(quoted, Quoted(one.key));
    join(plain, ClipUtf8(one.key, kReceivedBytesMax));
    if (!one.near.empty()) join(near, one.near);
  }
  const std::string plural = count == 1 ? "" : "s";
  const std::string more = count > unknown.size()
                               ? " (+" + WithThousands(uint64_t{count - unknown.size()}) + " more)"
                               : "";
  std::string accepted;
  for (const Field& field : shape.fields) {
    join(accepted, field.name);
  }
  std::string hint = "Unknown key" + plural + " " + plain + more + ".";
  if (!near.empty()) hint += " Did you mean " + near + "?";
  hint += place.parent == nullptr ? " This tool accepts: " : " " + PathText(place) + " accepts: ";
  hint += accepted.empty() ? "no arguments" : accepted;
  hint += '.';
  return MakeIssue(place, "unrecognized_keys", "Unrecognized key" + plural + ": " + quoted + more,
                   std::move(hint));
}

Issue AliasIssue(const Place& place, std::string_view alias, std::string_view earlier,
                 std::string_view name) {
  const std::string_view shown = ClipUtf8(alias, kReceivedBytesMax);
  std::string subject(shown);
  if (earlier == name) {
    subject += " is an alias of ";
  } else {
    subject =
        std::string(ClipUtf8(earlier, kReceivedBytesMax)) + " and " + subject + " are aliases of ";
  }
  return MakeIssue(place, "invalid_value",
                   subject + std::string(name) + "; send one of them, not both.", "");
}

Issue OptionIssue(const Place& place, const Shape& shape, View received) {
  const std::string options = Options(shape);
  std::string hint;
  if (const auto text = received.AsString()) {
    const auto near = NearNames(Trim(*text), shape.names, 1, NearFallback::kContaining);
    if (!near.empty()) {
      hint = "Expected one of " + options + ". Did you mean \"" + near.front() + "\"?";
    }
  }
  return MakeIssue(place, "invalid_value", "Invalid option: expected one of " + options,
                   std::move(hint));
}

Issue NulIssue(const Place& place) {
  return MakeIssue(place, "invalid_value", "Invalid string: U+0000 is not allowed",
                   "Remove the NUL character from " + Subject(place) + ".");
}

Issue FormatIssue(const Place& place, Format format, std::string_view received) {
  const FormatWords words = WordsOf(format);
  return MakeIssue(place, "invalid_format",
                   "expected " + std::string(words.form) + ", received " + Quoted(received),
                   "Send " + Subject(place) + " as " + std::string(words.form) + ", for example " +
                       std::string(words.example) + ".");
}

Issue PatternIssue(const Place& place, std::string_view pattern) {
  std::string hint;
  if (place.field != nullptr && !place.field->doc.empty()) {
    hint = PathText(place) + ": " + std::string(place.field->doc);
  }
  return MakeIssue(place, "invalid_format",
                   "Invalid string: must match pattern /" + std::string(pattern) + "/",
                   std::move(hint));
}

Issue TooSmallIssue(const Place& place, Counted counted, std::string_view bound) {
  return MakeIssue(place, "too_small", BoundMessage("small", counted, ">=", bound), "");
}

Issue TooBigIssue(const Place& place, Counted counted, std::string_view bound) {
  return MakeIssue(place, "too_big", BoundMessage("big", counted, "<=", bound), "");
}

}  // namespace ducat::json
