#pragma once
// Which columns may refer to which, told by names alone (analyst.md 5.8). Values are compared only
// where names allow it. Pure functions; any thread.

#include <optional>
#include <string>
#include <string_view>

namespace ducat::analyst {

// "customer" of customer_id, customerId; lower case. Nothing for other names.
[[nodiscard]] std::optional<std::string> KeyStem(std::string_view column);
// True when `table` is the stem in singular or plural (customer, customers; s, es, ies).
[[nodiscard]] bool IsNamedAfter(std::string_view table, std::string_view stem);
// As IsNamedAfter, also for a part of a divided table (articles_2025 after article): a column of
// that stem is the table's own key.
[[nodiscard]] bool IsOwnKeyTable(std::string_view table, std::string_view stem);
// May `column` of another table point at `to_column` of `to_table`? Same name, or the id of the
// table that the column's stem names.
[[nodiscard]] bool MayRefer(std::string_view column, std::string_view to_table,
                            std::string_view to_column);

}  // namespace ducat::analyst
