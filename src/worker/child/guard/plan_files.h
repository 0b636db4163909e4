#pragma once
// File names in the text of EXPLAIN ANALYZE: the files behind tables have names and folders of our
// own making, broken over the lines of a box, so the item goes as a whole. Pure.

#include <string>
#include <string_view>

namespace ducat::guard {

// The plan with the "Filename(s)" of every box blanked; other formats are given back as they are.
[[nodiscard]] std::string WithoutFileNames(std::string_view plan);

}  // namespace ducat::guard
