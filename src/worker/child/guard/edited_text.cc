#include "worker/child/guard/edited_text.h"

#include <algorithm>

namespace ducat::guard {

EditedText::EditedText(std::string_view source, uint64_t source_offset) : text_(source) {
  edits_.push_back({.final_offset = 0,
                    .final_length = source.size(),
                    .source_offset = source_offset,
                    .source_length = source.size()});
}

// The edits of `from` inside `span`, moved so that the span's start stands at `to`.
void EditedText::CopyEdits(const std::vector<Verdict::Edit>& from, Span span, uint64_t to) {
  const uint64_t end = span.offset + span.length;
  for (const Verdict::Edit& edit : from) {
    const uint64_t first = std::max(edit.final_offset, span.offset);
    const uint64_t last = std::min(edit.final_offset + edit.final_length, end);
    if (first >= last) continue;
    const bool copied = edit.final_length == edit.source_length;
    edits_.push_back(
        {.final_offset = to + (first - span.offset),
         .final_length = last - first,
         .source_offset = edit.source_offset + (copied ? first - edit.final_offset : 0),
         .source_length = copied ? last - first : edit.source_length});
  }
}

void EditedText::Apply(std::vector<Replacement> replacements) {
  if (replacements.empty()) return;
  std::sort(replacements.begin(), replacements.end(),
            [](const auto& a, const auto& b) { return a.span.offset < b.span.offset; });
  const std::string old_text = std::move(text_);
  const std::vector<Verdict::Edit> old_edits = std::move(edits_);
  text_.clear();
  edits_.clear();
  uint64_t at = 0;
  for (const Replacement& replacement : replacements) {
    const Span kept{at, replacement.span.offset - at};
    CopyEdits(old_edits, kept, text_.size());
    text_.append(old_text, kept.offset, kept.length);
    const auto source = guard::SourceOffset(old_edits, replacement.span.offset);
    if (source.has_value() && !replacement.text.empty()) {
      edits_.push_back({.final_offset = text_.size(),
                        .final_length = replacement.text.size(),
                        .source_offset = *source,
                        .source_length = replacement.span.length});
    }
    text_ += replacement.text;
    at = replacement.span.offset + replacement.span.length;
  }
  const Span rest{at, old_text.size() - at};
  CopyEdits(old_edits, rest, text_.size());
  text_.append(old_text, rest.offset, rest.length);
}

void EditedText::Wrap(std::string_view before, std::string_view after) {
  text_.insert(0, before);
  text_ += after;
  for (Verdict::Edit& edit : edits_) {
    edit.final_offset += before.size();
  }
}

std::optional<uint64_t> EditedText::SourceOffset(uint64_t offset) const {
  return guard::SourceOffset(edits_, offset);
}

std::optional<uint64_t> SourceOffset(const std::vector<Verdict::Edit>& edits, uint64_t offset) {
  auto next =
      std::upper_bound(edits.begin(), edits.end(), offset,
                       [](uint64_t at, const Verdict::Edit& e) { return at < e.final_offset; });
  if (next == edits.begin()) return std::nullopt;
  const Verdict::Edit& edit = *(next - 1);
  const uint64_t inside = offset - edit.final_offset;
  // One past the end belongs to it too: errors "at the end of the text".
  if (inside > edit.final_length) return std::nullopt;
  if (edit.final_length != edit.source_length) return edit.source_offset;
  return edit.source_offset + inside;
}

}  // namespace ducat::guard
