#pragma once
// What reading its files did to the tables of a query (analyst.md 5.5): records that could not be
// loaded, columns that were kept as text. Pure functions of the catalog.

#include <string_view>

#include "packs/analyst/catalog.h"
#include "packs/analyst/tools/row_result.h"

namespace ducat::analyst {

// Appends to the notes of `rows`, for the tables it was read from. A column's note is added only
// when the statement contains its name.
void AddLoadNotes(const Catalog& catalog, std::string_view sql, RowResult& rows);

}  // namespace ducat::analyst
