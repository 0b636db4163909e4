#include "transcript.h"

#include <algorithm>

#include "json/view.h"

namespace ducat::testing {
namespace {

bool IsRequestId(std::string_view text) {
  constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  if (text.size() != 11 || text[5] != '-') return false;
  return std::ranges::all_of(
      text, [kAlphabet](char c) { return c == '-' || kAlphabet.find(c) != kAlphabet.npos; });
}

// Does what one line says; false for "out" lines, which are not played.
bool PlayLine(std::string_view line, Wire& wire) {
  json::Document document;
  const auto object = document.Parse(line, {.refuse_duplicate_keys = false});
  CHECK(object.has_value());
  if (object->Find("out")) return false;
  if (const auto text = object->Find("in_text")) wire.Feed(*text->AsString());
  if (object->Find("in")) {
    // Byte for byte, so that the form of numbers and strings is kept.
    constexpr std::string_view kStart = "{\"in\":";
    CHECK(line.starts_with(kStart) && line.ends_with('}'));
    wire.Feed(line.substr(kStart.size(), line.size() - kStart.size() - 1));
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
  while (!transcript.empty()) {
    const size_t end = std::min(transcript.find('\n'), transcript.size());
    const std::string_view line = transcript.substr(0, end);
    transcript.remove_prefix(std::min(end + 1, transcript.size()));
    if (line.empty() || !PlayLine(line, wire)) continue;
    played.append(line).append("\n");
    for (std::string& message : wire.Take()) {
      played.append("{\"out\":").append(WithoutVolatileValues(std::move(message))).append("}\n");
    }
  }
  return played;
}

}  // namespace ducat::testing
