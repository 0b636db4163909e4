#include "worker/child/guard/readers.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace ducat::guard {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 39> kCsvOptions{"all_varchar",
                                                       "allow_quoted_nulls",
                                                       "auto_detect",
                                                       "auto_type_candidates",
                                                       "column_names",
                                                       "column_types",
                                                       "columns",
                                                       "comment",
                                                       "compression",
                                                       "date_format",
                                                       "dateformat",
                                                       "decimal_separator",
                                                       "delim",
                                                       "dtypes",
                                                       "encoding",
                                                       "escape",
                                                       "filename",
                                                       "force_not_null",
                                                       "header",
                                                       "hive_partitioning",
                                                       "hive_types",
                                                       "hive_types_autocast",
                                                       "ignore_errors",
                                                       "max_line_size",
                                                       "maximum_line_size",
                                                       "names",
                                                       "new_line",
                                                       "normalize_names",
                                                       "null_padding",
                                                       "nullstr",
                                                       "quote",
                                                       "sample_size",
                                                       "sep",
                                                       "skip",
                                                       "strict_mode",
                                                       "thousands",
                                                       "timestampformat",
                                                       "types",
                                                       "union_by_name"};
constexpr std::array<std::string_view, 22> kJsonOptions{"auto_detect",
                                                        "columns",
                                                        "compression",
                                                        "convert_strings_to_integers",
                                                        "date_format",
                                                        "dateformat",
                                                        "field_appearance_threshold",
                                                        "filename",
                                                        "format",
                                                        "hive_partitioning",
                                                        "hive_types",
                                                        "hive_types_autocast",
                                                        "ignore_errors",
                                                        "map_inference_threshold",
                                                        "maximum_depth",
                                                        "maximum_object_size",
                                                        "maximum_sample_files",
                                                        "records",
                                                        "sample_size",
                                                        "timestamp_format",
                                                        "timestampformat",
                                                        "union_by_name"};
constexpr std::array<std::string_view, 9> kParquetOptions{
    "binary_as_string",  "can_have_nan", "compression",         "file_row_number", "filename",
    "hive_partitioning", "hive_types",   "hive_types_autocast", "union_by_name"};

struct NumberLimit {
  std::string_view option;
  int64_t max;
};
constexpr int64_t kMiB = 1 << 20;
constexpr std::array<NumberLimit, 4> kNumberLimits{{{"max_line_size", 16 * kMiB},
                                                    {"maximum_line_size", 16 * kMiB},
                                                    {"maximum_object_size", 64 * kMiB},
                                                    {"maximum_depth", 64}}};
constexpr int kConstantDepthMax = 32;

std::string_view Text(json::View node, std::string_view field) {
  const auto value = node.Find(field);
  return value.has_value() ? value->AsString().value_or("") : std::string_view{};
}

uint64_t Location(json::View node) {
  const auto value = node.Find("query_location");
  return value.has_value() ? value->AsUnsigned().value_or(kNowhere) : kNowhere;
}

json::View FirstChild(json::View node) {
  json::View first;
  node.Find("children").value_or(json::View()).ForEachElement([&first](json::View child) {
    first = child;
    return false;
  });
  return first;
}

// Where the text of an expression begins: an operator's own place is between its operands.
uint64_t Start(json::View node) {
  constexpr int kOperandsMax = 1'000;  // the depth of a tree
  uint64_t place = Location(node);
  for (int i = 0; i < kOperandsMax; ++i) {
    const std::string_view kind = Text(node, "class");
    if (kind == "CAST" || kind == "COLLATE") {
      node = node.Find("child").value_or(json::View());
    } else if (kind == "COMPARISON") {
      node = node.Find("left").value_or(json::View());
    } else if (kind == "LAMBDA") {
      node = node.Find("lhs").value_or(json::View());
    } else if (node.Find("is_operator").value_or(json::View()).AsBoolean().value_or(false)) {
      node = FirstChild(node);
    } else {
      break;
    }
    place = std::min(place, Location(node));
  }
  return place;
}

std::optional<json::View> ConstantValue(json::View node) {
  if (Text(node, "class") != "CONSTANT") return std::nullopt;
  const auto value = node.Find("value");
  return value.has_value() ? value->Find("value") : std::nullopt;
}

std::optional<std::string_view> ConstantText(json::View node) {
  const auto value = ConstantValue(node);
  return value.has_value() ? value->AsString() : std::nullopt;
}

bool IsListConstructor(json::View node) {
  return (Text(node, "class") == "FUNCTION" && Text(node, "function_name") == "list_value") ||
         (Text(node, "class") == "OPERATOR" && Text(node, "type") == "ARRAY_CONSTRUCTOR");
}

// A constant, or a list, struct, map, cast or negation of constants.
bool IsConstant(json::View node, int depth = 0) {
  if (depth > kConstantDepthMax) return false;
  const std::string_view kind = Text(node, "class");
  if (kind == "CONSTANT") return true;
  if (kind == "CAST") {
    const auto child = node.Find("child");
    return child.has_value() && IsConstant(*child, depth + 1);
  }
  static constexpr std::array<std::string_view, 5> kConstructors{"list_value", "struct_pack", "row",
                                                                 "map", "-"};
  const bool constructor =
      IsListConstructor(node) ||
      (kind == "FUNCTION" &&
       std::ranges::find(kConstructors, Text(node, "function_name")) != kConstructors.end());
  if (!constructor) return false;
  bool constant = true;
  node.Find("children").value_or(json::View()).ForEachElement([&](json::View child) {
    constant = IsConstant(child, depth + 1);
    return constant;
  });
  return constant;
}

Names OptionsOf(ReaderFamily family) {
  switch (family) {
    case ReaderFamily::kCsv:
      return kCsvOptions;
    case ReaderFamily::kJson:
    case ReaderFamily::kJsonObjects:
      return kJsonOptions;
    case ReaderFamily::kParquet:
      return kParquetOptions;
    case ReaderFamily::kNoOptions:
      return {};
  }
  return {};
}

std::string OptionHint(ReaderFamily family) {
  std::string hint;
  for (const std::string_view name : OptionsOf(family)) {
    hint += hint.empty() ? "Allowed options, with constant values: " : ", ";
    hint += name;
  }
  return hint.empty() ? "This function takes no options here." : hint + ".";
}

struct NamedArgument {
  std::string name;
  json::View value;
};

// `delim = ','` arrives as a comparison, `delim := ','` and `delim => ','` as an alias.
std::optional<NamedArgument> Named(json::View argument) {
  if (const std::string_view alias = Text(argument, "alias"); !alias.empty()) {
    return NamedArgument{AsciiLower(alias), argument};
  }
  if (Text(argument, "class") != "COMPARISON" || Text(argument, "type") != "COMPARE_EQUAL") {
    return std::nullopt;
  }
  const auto left = argument.Find("left");
  const auto right = argument.Find("right");
  if (!left.has_value() || !right.has_value() || Text(*left, "class") != "COLUMN_REF") {
    return std::nullopt;
  }
  std::string name;
  left->Find("column_names").value_or(json::View()).ForEachElement([&](json::View part) {
    name = AsciiLower(part.AsString().value_or(""));
    return true;
  });
  return NamedArgument{std::move(name), *right};
}

class CallReader {
 public:
  CallReader(ReaderFamily family, std::string_view function, ReaderCall& call)
      : family_(family), function_(function), call_(call) {}

  void Argument(json::View argument) {
    if (const auto named = Named(argument)) {
      Option(*named, argument);
    } else if (++positional_ == 1) {
      Path(argument);
    } else {
      PathFault(argument);
    }
  }
  void Finish(json::View function) {
    if (positional_ == 0) PathFault(function);
  }

 private:
  void PathFault(json::View node) {
    if (call_.path_fault.has_value()) return;
    call_.path_fault = ReaderFault{
        .code = "path_not_literal",
        .message = std::string(function_) +
                   " takes exactly one path, written as a string or a list of strings.",
        .hint = "Write the path out, for example " + std::string(function_) + "('folder/*.csv').",
        .location = Start(node)};
  }

  void Path(json::View argument) {
    if (const auto text = ConstantText(argument)) {
      call_.paths.push_back({std::string(*text), Location(argument)});
      return;
    }
    if (!IsListConstructor(argument)) return PathFault(argument);
    call_.list = true;
    argument.Find("children").value_or(json::View()).ForEachElement([&](json::View child) {
      const auto text = ConstantText(child);
      if (text.has_value()) {
        call_.paths.push_back({std::string(*text), Location(child)});
      } else {
        PathFault(child);
      }
      return text.has_value();
    });
    if (call_.paths.empty()) PathFault(argument);
  }

  void Option(const NamedArgument& option, json::View argument) {
    if (option.name == "maximum_depth") call_.limits_depth = true;
    if (call_.option_fault.has_value()) return;
    const auto options = OptionsOf(family_);
    std::string problem;
    if (std::ranges::find(options, option.name) == options.end()) {
      problem = "is not allowed";
    } else if (!IsConstant(option.value)) {
      problem = "needs a constant value";
    } else {
      problem = NumberProblem(option);
    }
    if (problem.empty()) return;
    call_.option_fault = ReaderFault{.code = "reader_option_denied",
                                     .message = "The option " + option.name + " of " +
                                                std::string(function_) + " " + problem + ".",
                                     .hint = OptionHint(family_),
                                     .location = Start(argument),
                                     .option = option.name};
  }

  static std::string NumberProblem(const NamedArgument& option) {
    const auto limit = std::ranges::find(kNumberLimits, option.name, &NumberLimit::option);
    if (limit == kNumberLimits.end()) return {};
    const auto value = ConstantValue(option.value);
    const auto number = value.has_value() ? value->AsInteger() : std::nullopt;
    if (number.has_value() && *number >= 1 && *number <= limit->max) return {};
    return "must be a whole number from 1 to " + WithThousands(limit->max);
  }

  ReaderFamily family_;
  std::string_view function_;
  ReaderCall& call_;
  size_t positional_ = 0;
};

}  // namespace

std::optional<ReaderFamily> ReaderFamilyOf(std::string_view function) {
  struct Reader {
    std::string_view name;
    ReaderFamily family;
  };
  using enum ReaderFamily;
  static constexpr std::array<Reader, 17> kReaders{{{"read_csv", kCsv},
                                                    {"read_csv_auto", kCsv},
                                                    {"sniff_csv", kCsv},
                                                    {"read_json", kJson},
                                                    {"read_json_auto", kJson},
                                                    {"read_ndjson", kJson},
                                                    {"read_ndjson_auto", kJson},
                                                    {"read_json_objects", kJsonObjects},
                                                    {"read_json_objects_auto", kJsonObjects},
                                                    {"read_ndjson_objects", kJsonObjects},
                                                    {"read_parquet", kParquet},
                                                    {"parquet_scan", kParquet},
                                                    {"parquet_metadata", kNoOptions},
                                                    {"parquet_schema", kNoOptions},
                                                    {"parquet_file_metadata", kNoOptions},
                                                    {"read_text", kNoOptions},
                                                    {"read_blob", kNoOptions}}};
  const auto found = std::ranges::find(kReaders, function, &Reader::name);
  if (found == kReaders.end()) return std::nullopt;
  return found->family;
}

bool TakesOneFile(std::string_view function) {
  return function == "sniff_csv";
}

ReaderCall ReadCall(json::View function, std::string_view name) {
  ReaderCall call;
  CallReader reader(ReaderFamilyOf(name).value_or(ReaderFamily::kNoOptions), name, call);
  function.Find("children").value_or(json::View()).ForEachElement([&](json::View argument) {
    reader.Argument(argument);
    return true;
  });
  reader.Finish(function);
  return call;
}

}  // namespace ducat::guard
