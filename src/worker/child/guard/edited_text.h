#pragma once
// EditedText: a text with replacements that remembers where each byte came from, so that the
// engine's positions in what runs lead back to what the caller wrote (guard.md 6.7). A plain value.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "worker/child/guard/guard.h"
#include "worker/child/guard/place.h"

namespace ducat::guard {

struct Replacement {
  Span span;  // of the text as it is before these replacements
  std::string text;
};

class EditedText {
 public:
  EditedText() = default;
  // `source` is a part of the caller's text that begins at `source_offset`.
  EditedText(std::string_view source, uint64_t source_offset);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Applies all at once; spans must not overlap.
  void Apply(std::vector<Replacement> replacements);
  // Puts text before and behind that comes from nowhere.
  void Wrap(std::string_view before, std::string_view after);
  // The caller's offset for an offset in text(): inside a replaced part, that part's start; nothing
  // in what Wrap added.
  [[nodiscard]] std::optional<uint64_t> SourceOffset(uint64_t offset) const;
  [[nodiscard]] const std::vector<Verdict::Edit>& edits() const { return edits_; }

 private:
  void CopyEdits(const std::vector<Verdict::Edit>& from, Span span, uint64_t to);

  std::string text_;
  std::vector<Verdict::Edit> edits_;  // by final_offset; equal lengths: copied byte for byte
};

// The same search over a verdict's own edits.
[[nodiscard]] std::optional<uint64_t> SourceOffset(const std::vector<Verdict::Edit>& edits,
                                                   uint64_t offset);

}  // namespace ducat::guard
