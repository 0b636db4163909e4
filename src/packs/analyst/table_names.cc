#include "packs/analyst/table_names.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include <utf8proc.h>

#include "base/digest.h"
#include "base/text.h"
#include "packs/analyst/file_format.h"

namespace ducat::analyst {
namespace {

constexpr size_t kHashDigits = 8;
constexpr size_t kShortenedHead = kTableNameMax - kHashDigits - 1;

constexpr std::array<std::string_view, 105> kReservedWords{
    "all",           "analyse",     "analyze",   "and",        "anti",         "any",
    "array",         "as",          "asc",       "asof",       "asymmetric",   "at",
    "authorization", "binary",      "both",      "by",         "case",         "cast",
    "check",         "collate",     "collation", "column",     "concurrently", "constraint",
    "create",        "cross",       "default",   "deferrable", "desc",         "describe",
    "distinct",      "do",          "else",      "end",        "except",       "false",
    "fetch",         "for",         "foreign",   "freeze",     "from",         "full",
    "glob",          "group",       "having",    "ilike",      "in",           "initially",
    "inner",         "intersect",   "into",      "is",         "isnull",       "join",
    "lambda",        "lateral",     "leading",   "left",       "like",         "limit",
    "natural",       "not",         "notnull",   "null",       "offset",       "on",
    "only",          "or",          "order",     "outer",      "overlaps",     "pivot",
    "pivot_longer",  "pivot_wider", "placing",   "positional", "primary",      "qualify",
    "references",    "returning",   "right",     "select",     "semi",         "show",
    "similar",       "some",        "summarize", "symmetric",  "table",        "tablesample",
    "then",          "to",          "trailing",  "true",       "union",        "unique",
    "unpack",        "unpivot",     "using",     "variadic",   "verbose",      "when",
    "where",         "window",      "with"};
static_assert(std::is_sorted(kReservedWords.begin(), kReservedWords.end()));

// Compatibility decomposition without combining marks; the text itself when it is not UTF-8.
std::string Decomposed(std::string_view text) {
  utf8proc_uint8_t* mapped = nullptr;
  // The library's flags are an enum whose sums it does not name.
  // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange)
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE |
                                                      UTF8PROC_COMPAT | UTF8PROC_STRIPMARK);
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &mapped, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(mapped, &std::free);
  if (size < 0) return std::string(text);
  return std::string(reinterpret_cast<const char*>(mapped), static_cast<size_t>(size));
}

// Runs outside [a-z0-9] become one underscore, none at the ends.
std::string Slug(std::string_view text) {
  std::string slug;
  bool gap = false;
  for (const char c : Decomposed(text)) {
    const char lower = AsciiLower(c);
    const bool plain = (lower >= 'a' && lower <= 'z') || IsAsciiDigit(lower);
    if (!plain) {
      gap = true;
      continue;
    }
    if (gap && !slug.empty()) slug += '_';
    gap = false;
    slug += lower;
  }
  return slug;
}

}  // namespace

bool IsReservedWord(std::string_view word) {
  return std::binary_search(kReservedWords.begin(), kReservedWords.end(), word);
}

std::string_view WithoutExtensions(std::string_view path) {
  const auto parsed = ParseFileName(path);
  return parsed.has_value() ? path.substr(0, path.size() - parsed->extension_bytes) : path;
}

std::string TableName(std::string_view relative_path, std::string_view sheet) {
  std::string source(WithoutExtensions(relative_path));
  std::string whole(relative_path);
  if (!sheet.empty()) {
    source.append("_").append(sheet);
    whole.append("#").append(sheet);
  }
  const auto hash = [&whole] { return Hex(Sha256(whole)).substr(0, kHashDigits); };
  std::string name = Slug(source);
  if (name.empty()) return "table_" + hash();
  if (name.front() >= '0' && name.front() <= '9') name.insert(0, "t_");
  if (IsReservedWord(name)) name += '_';
  if (name.size() > kTableNameMax) name = name.substr(0, kShortenedHead) + "_" + hash();
  return name;
}

}  // namespace ducat::analyst
