#pragma once
// SHOW TABLES, SHOW ALL TABLES, SHOW DATABASES, SHOW TABLES FROM and a bare DESCRIBE, answered from
// the catalog (guard.md 6.6): each becomes a SELECT over constant rows, so that it runs like any
// other text. Pure.

#include <vector>

#include "worker/child/guard/edited_text.h"
#include "worker/child/guard/lexer.h"
#include "worker/child/mounted_catalog.h"

namespace ducat::guard {

// What to put in the place of every such statement of the text, wherever it stands.
[[nodiscard]] std::vector<Replacement> ListingReplacements(
    const TokenList& tokens, const worker::child::MountedCatalog& catalog);

}  // namespace ducat::guard
