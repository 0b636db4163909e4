#pragma once
// A table whose file was found sound and fails when it is read: Parquet is read where it lies, and
// what is behind its first row is not looked at before. The table stays usable, other columns and
// rows may well be whole, but its entry says from then on what has failed. Control thread.

#include "base/result.h"
#include "packs/analyst/catalog.h"

namespace ducat::analyst {

// `error` of a job; adds the warning `read_failed` to the table that it names, once.
void NoteFailedRead(const Error& error, Catalog& catalog);

}  // namespace ducat::analyst
