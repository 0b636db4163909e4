#pragma once
// Rules on the text of one file: its length, its lines, its name, the comment that opens a header.
// Stateless.

#include "tidy/source_file.h"

namespace ducat::tidy {

inline constexpr size_t kFileLinesMax = 500;
inline constexpr size_t kFileLinesThink = 400;  // reported by the test, not refused
inline constexpr size_t kLineColumnsMax = 100;

void CheckLines(const SourceFile& file, Findings& findings);
void CheckFileName(const SourceFile& file, Findings& findings);
void CheckHeaderComment(const SourceFile& file, Findings& findings);

}  // namespace ducat::tidy
