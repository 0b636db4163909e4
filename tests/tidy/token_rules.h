#pragma once
// Words that must not stand in our code: each with the reason, and the files that are exempt.
// Comments and literals do not count, except for a TODO that blocks. Stateless.

#include "tidy/source_file.h"

namespace ducat::tidy {

void CheckTokens(const SourceFile& file, Findings& findings);

// An aggregate temporary inside a co_await expression: some compilers destroy it twice.
void CheckCoroutineTemporaries(const SourceFile& file, Findings& findings);

}  // namespace ducat::tidy
