#include "transcript.h"

#include <algorithm>
#include <map>

#include "json/view.h"

namespace ducat::testing {
namespace {

bool IsRequestId(std::string_view text) {
  constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  if (text.size() != 11 || text.find('-') != 5 || text.rfind('-') != 5) return false;
  return std::ranges::all_of(
      text, [kAlphabet](char c) { return c == '-' || kAlphabet.find(c) != kAlphabet.npos; });
}

// The last value of each member that only the server can know.
class Seen {
 public:
  // Replaces the values by their names, and remembers them.
  std::string Name(std::string message) {
    for (auto& [name, value] : values_) {
      if (!value.empty()) Replace(message, value, "{{" + name + "}}");
      const std::string start = "\"" + name + "\":\"";
      const size_t at = message.find(start);
      if (at == message.npos) continue;
      const size_t begin = at + start.size();
      if (message.substr(begin).starts_with("{{")) continue;
      value = message.substr(begin, message.find('"', begin) - begin);
      Replace(message, value, "{{" + name + "}}");
    }
    return message;
  }
  [[nodiscard]] std::string Fill(std::string message) const {
    for (const auto& [name, value] : values_) {
      Replace(message, "{{" + name + "}}", value);
    }
    return message;
  }

 private:
  static void Replace(std::string& text, std::string_view what, std::string_view by) {
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
      text.replace(at, what.size(), by);
    }
  }
  std::map<std::string, std::string> values_{{"taskId", ""}, {"requestState", ""}};
};

// Does what one line says; false for "out" lines, which are not played.
bool PlayLine(std::string_view line, const Seen& seen, Wire& wire) {
  json::Document document;
  const auto object = document.Parse(line, {.refuse_duplicate_keys = false});
  CHECK(object.has_value());
  if (object->Find("out")) return false;
  if (const auto text = object->Find("in_text")) wire.Feed(*text->AsString());
  if (object->Find("in")) {
    // Byte for byte, so that the form of numbers and strings is kept.
    constexpr std::string_view kStart = "{\"in\":";
    CHECK(line.starts_with(kStart) && line.ends_with('}'));
    const std::string message(line.substr(kStart.size(), line.size() - kStart.size() - 1));
    wire.Feed(seen.Fill(message));
  }
  if (const auto step = object->Find("advance_ms")) {
    wire.Advance(std::chrono::milliseconds(*step->AsInteger()));
  }
  return true;
}

}  // namespace

std::string WithoutVolatileValues(std::string message) {
  for (size_t at = message.find('-'); at != message.npos; at = message.find('-', at + 1)) {
    if (at < 5 || !IsRequestId(std::string_view(message).substr(at - 5, 11))) continue;
    message.replace(at - 5, 11, "00000-00000");
  }
  return message;
}

std::string Play(std::string_view transcript, Wire& wire) {
  std::string played;
  Seen seen;
  while (!transcript.empty()) {
    const size_t end = std::min(transcript.find('\n'), transcript.size());
    const std::string_view line = transcript.substr(0, end);
    transcript.remove_prefix(std::min(end + 1, transcript.size()));
    if (line.empty() || !PlayLine(line, seen, wire)) continue;
    played.append(line).append("\n");
    for (std::string& message : wire.Take()) {
      const std::string shown = WithoutVolatileValues(seen.Name(std::move(message)));
      played.append("{\"out\":").append(shown).append("}\n");
    }
  }
  return played;
}

}  // namespace ducat::testing
