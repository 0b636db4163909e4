#pragma once
// Rules that need more than one file: sources without a test, headers that nobody includes, links
// in documents that lead nowhere. Stateless; the caller reads the tree.

#include <functional>
#include <set>

#include "tidy/source_file.h"

namespace ducat::tidy {

// Every x.cc of a library below src/ has an x_test.cc beside it, or a test that includes its
// header, or stands in `untested`, one "path: why" a line. A line whose file is gone, or has a test
// by now, is a finding too, so the list can only shrink.
void CheckEverySourceHasATest(const std::vector<SourceFile>& files, const SourceFile& untested,
                              Findings& findings);

// Every header below src/ is included by some file.
void CheckNoDeadHeaders(const std::vector<SourceFile>& files, Findings& findings);

// Relative links of Markdown files, and paths in backticks that begin with a folder of the tree,
// name something that `exists`.
void CheckDocumentLinks(const std::vector<SourceFile>& files,
                        const std::function<bool(const std::string&)>& exists, Findings& findings);

// docs/adr is numbered without gaps or doubles.
void CheckDecisionNumbers(const std::vector<SourceFile>& files, Findings& findings);

// A lock file names versions and hashes, never where a package was downloaded from.
void CheckLockFile(const SourceFile& file, Findings& findings);

}  // namespace ducat::tidy
