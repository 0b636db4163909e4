#include "packs/analyst/tools/page_cursor.h"

#include <optional>

#include "base/text.h"

namespace ducat::analyst {
namespace {

std::string Prefix(std::string_view list, uint64_t version) {
  return std::string(list) + "\n" + std::to_string(version) + "\n";
}

}  // namespace

std::string EncodeCursor(std::string_view list, uint64_t version, std::string_view last) {
  return Base64UrlEncode(Prefix(list, version) + std::string(last));
}

Result<std::string> DecodeCursor(std::string_view list, uint64_t version, std::string_view cursor) {
  const std::string prefix = Prefix(list, version);
  const std::optional<std::string> plain = Base64UrlDecode(cursor);
  if (!plain.has_value() || !plain->starts_with(prefix)) {
    return Fail(ErrorCode::kInvalidArgument, "bad_cursor",
                "The cursor does not belong to this list, or the tables have changed since.",
                "Call again without cursor to start at the first page.");
  }
  return plain->substr(prefix.size());
}

}  // namespace ducat::analyst
