#pragma once
// From what was found (files by a walk, objects by a job) to catalog entries with names: database
// objects take theirs first, then files in byte order of the path (analyst.md 2.2). Pure functions.

#include <vector>

#include "packs/analyst/catalog.h"
#include "packs/analyst/file_scan.h"
#include "packs/analyst/name_assignment.h"

namespace ducat::analyst {

// Entries of a data directory and of a database, named through `names`.
[[nodiscard]] std::vector<TableEntry> NamedEntries(const ScannedDirectory& directory,
                                                   const std::vector<DatabaseObject>& objects,
                                                   NameAssignment& names);

}  // namespace ducat::analyst
