#include "worker/child/guard/parameters.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/text.h"

namespace ducat::guard {
namespace {

using Names = std::vector<std::string>;

// The first number that is missing among $1, $2, ...: the engine's interface binds no later ones.
std::optional<std::string> NumberGap(const Names& names) {
  const std::set<std::string_view> known(names.begin(), names.end());
  const auto numbered = static_cast<size_t>(std::ranges::count_if(
      names, [](const std::string& name) { return !name.empty() && IsAsciiDigit(name[0]); }));
  for (size_t number = 1; number <= numbered; ++number) {
    std::string name = std::to_string(number);
    if (!known.contains(name)) return name;
  }
  return std::nullopt;
}

std::string_view TextOf(const TokenList& tokens, const Token& token) {
  return tokens.source.substr(token.offset, token.length);
}

// Where the parameter stands first: $name, or ?, whose number is one more than that before it.
std::optional<Span> PlaceOf(const TokenList& tokens, std::string_view name) {
  size_t last_number = 0;
  for (const Token& token : tokens.tokens) {
    if (token.kind != TokenKind::kParameter) continue;
    const std::string_view text = TextOf(tokens, token);
    const std::string own =
        text == "?" ? std::to_string(++last_number) : AsciiLower(text.substr(1));
    std::from_chars(own.data(), own.data() + own.size(), last_number);
    if (own == name) return Span{token.offset, token.length};
  }
  return std::nullopt;
}

std::string Listed(const Names& names) {
  std::string joined;
  for (const std::string& name : names) {
    joined += (joined.empty() ? "$" : ", $") + name;
  }
  return joined.empty() ? std::string("none") : joined;
}

const std::string* FirstMissing(const Names& from, const Names& in) {
  const std::set<std::string_view> known(in.begin(), in.end());
  const auto missing =
      std::ranges::find_if(from, [&](const std::string& name) { return !known.contains(name); });
  return missing == from.end() ? nullptr : &*missing;
}

Finding Fault(std::string code, std::string message, std::string hint) {
  return {.code = std::move(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .rule = "parameter"};
}

}  // namespace

std::optional<Finding> CheckParameters(const Names& named, const engine::NamedParameters* given,
                                       const TokenList& tokens) {
  Names values;
  if (given != nullptr) {
    for (const auto& [name, value] : *given) {
      values.push_back(AsciiLower(name));
    }
  }
  const std::string hint = "Expected: " + Listed(named) + "; given: " + Listed(values) + ".";
  if (const std::string* name = FirstMissing(named, values)) {
    Finding finding = Fault("missing_parameter", "The parameter $" + *name + " has no value.",
                            hint + " Send it in params, as in {\"" + *name + "\": 8}.");
    finding.span = PlaceOf(tokens, *name);
    return finding;
  }
  if (const std::string* name = FirstMissing(values, named)) {
    Finding finding =
        Fault("unused_parameter", "The statement has no parameter $" + *name + ".", hint);
    finding.token = *name;
    return finding;
  }
  if (const auto gap = NumberGap(named)) {
    Finding finding =
        Fault("missing_parameter", "The statement numbers its parameters but has no $" + *gap + ".",
              "Number parameters from $1 without gaps, or give them names.");
    finding.span = PlaceOf(tokens, named.back());
    return finding;
  }
  return std::nullopt;
}

std::optional<Span> MixedParameter(const TokenList& tokens) {
  std::optional<bool> named_before;
  for (const Token& token : tokens.tokens) {
    if (token.kind != TokenKind::kParameter) continue;
    const std::string_view text = TextOf(tokens, token);
    const bool named = text.size() > 1 && !IsAsciiDigit(text[1]);
    if (named_before.has_value() && named != *named_before) return Span{token.offset, token.length};
    named_before = named;
  }
  return std::nullopt;
}

}  // namespace ducat::guard
