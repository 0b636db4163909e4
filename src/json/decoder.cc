#include "json/decoder.h"

#include <algorithm>

#include "base/text.h"
#include "json/key_match.h"
#include "json/scalar_default.h"
#include "json/shape_access.h"

namespace ducat::json {

namespace {

const Rule kNoRule;

}  // namespace

bool Decoder::Wanted() {
  return ++report_.issues_count <= kIssuesMax;
}

void Decoder::Coerced(const Place& place) {
  if (!repairing() || report_.repairs.coerced.size() >= kIssuesMax) return;
  report_.repairs.coerced.push_back(ClipIssue(PathText(place)));
}

void Decoder::Accept(DecodeReport trial, const Place& place) {
  Coerced(place);
  const auto append = [](std::vector<std::string>& to, std::vector<std::string>& from) {
    for (std::string& name : from) {
      if (to.size() < kIssuesMax) to.push_back(std::move(name));
    }
  };
  append(report_.repairs.aliased, trial.repairs.aliased);
  append(report_.repairs.ignored, trial.repairs.ignored);
  append(report_.repairs.coerced, trial.repairs.coerced);
}

void Decoder::Root(const Shape& shape, View value, void* out) {
  const Place root;
  if (value.IsNull() && repairing()) return Object(shape, value, out, root);
  Document document;
  if (const auto text = value.AsString(); text && repairing()) {
    const Result<View> parsed = document.Parse(Trim(*text));
    if (parsed && parsed->IsObject()) value = *parsed;
  }
  if (value.IsObject()) return Object(shape, value, out, root);
  if (Wanted()) Add(TypeIssue(root, shape, value));
}

void Decoder::Value(const Shape& shape, const Rule& rule, View value, void* out,
                    const Place& place) {
  switch (shape.kind) {
    case Kind::kBoolean:
      return Boolean(shape, value, out, place);
    case Kind::kInteger:
      return Integer(shape, rule, value, out, place);
    case Kind::kNumber:
      return Number(shape, rule, value, out, place);
    case Kind::kString:
      return String(shape, rule, value, out, place);
    case Kind::kEnum:
      return Enum(shape, rule, value, out, place);
    case Kind::kArray:
      return Array(shape, rule, value, out, place);
    case Kind::kOptional:
    case Kind::kNullable:
      shape.clear(out);
      if (value.IsNull()) return;
      return Value(*shape.inner, rule, value, shape.grow(out), place);
    case Kind::kObject:
      if (value.IsObject()) return Object(shape, value, out, place);
      if (FromText(shape, rule, value, out, place)) return;
      break;
    case Kind::kMap:
      return Map(shape, rule, value, out, place);
    case Kind::kRaw:
      return Any(value, static_cast<Raw*>(out)->json, place);
    case Kind::kAny:
      return Any(value, static_cast<AnyValue*>(out)->json, place);
    case Kind::kRawElements:
      return Elements(shape, value, static_cast<RawElements*>(out)->json, place);
  }
  if (Wanted()) Add(TypeIssue(place, shape, value));
}

void Decoder::Object(const Shape& shape, View value, void* out, const Place& place) {
  const size_t first = slots_.size();
  slots_.resize(first + shape.fields.size());
  std::vector<Undeclared> others;
  Collect(shape, value, first, others);
  std::vector<Undeclared> unknown;
  if (repairing() && !others.empty()) PlaceUndeclared(shape, others, first, place, unknown);
  for (size_t i = 0; i < shape.fields.size(); ++i) {
    const Slot slot = slots_[first + i];  // the vector may move while the member is read
    Member(shape.fields[i], slot, out, place);
  }
  slots_.resize(first);
  if (!unknown.empty()) Unknown(shape, unknown, place);
}

void Decoder::Collect(const Shape& shape, View value, size_t first,
                      std::vector<Undeclared>& others) {
  size_t expected = 0;
  value.ForEachMember([&](std::string_view key, View member) {
    if (const auto found = FindField(shape.fields, key, expected)) {
      slots_[first + *found] = {.value = member, .key = key, .present = true};
      expected = *found + 1;
    } else if (repairing()) {
      others.push_back({key, member});
    }
    return true;
  });
}

void Decoder::PlaceUndeclared(const Shape& shape, const std::vector<Undeclared>& others,
                              size_t first, const Place& place, std::vector<Undeclared>& unknown) {
  const auto note = [&](std::vector<std::string>& names, std::string_view key) {
    if (names.size() >= kIssuesMax) return;
    names.push_back(ClipIssue(PathText(Place{.parent = &place, .key = key})));
  };
  for (const Undeclared& other : others) {
    const bool at_root = place.parent == nullptr;
    if (at_root && IsClientKey(other.key)) {
      note(report_.repairs.ignored, other.key);
      continue;
    }
    const std::optional<size_t> found = FindAlias(shape.fields, other.key);
    if (!found) {
      unknown.push_back(other);
      continue;
    }
    Slot& slot = slots_[first + *found];
    if (slot.present) {
      if (Wanted()) Add(AliasIssue(place, other.key, slot.key, shape.fields[*found].name));
      continue;
    }
    slot = {.value = other.value, .key = other.key, .present = true};
    note(report_.repairs.aliased, other.key);
  }
}

void Decoder::Unknown(const Shape& shape, const std::vector<Undeclared>& others,
                      const Place& place) {
  if (!Wanted()) return;
  std::vector<std::string_view> names;
  for (const Field& field : shape.fields) {
    names.push_back(field.name);
  }
  std::vector<UnknownKey> shown;
  for (size_t i = 0; i < std::min(others.size(), kIssuesInText); ++i) {
    auto near = NearNames(others[i].key, names, 1);
    shown.push_back({.key = std::string(others[i].key),
                     .near = near.empty() ? std::string() : std::move(near.front())});
  }
  Add(UnknownKeysIssue(place, shape, shown, others.size()));
}

void Decoder::Member(const Field& field, const Slot& slot, void* object, const Place& place) {
  void* member = MemberAt(field, object);
  const Place here{.parent = &place, .key = field.name, .field = &field};
  const bool optional = IsOptionalInput(field);
  if (slot.present && optional && CountsAsAbsent(field, slot.value)) {
    if (!slot.value.IsNull()) Coerced(here);
    return Default(field, member);
  }
  if (!slot.present && optional) return Default(field, member);
  const bool takes_null = field.shape->kind == Kind::kNullable || field.shape->kind == Kind::kAny ||
                          field.shape->kind == Kind::kRaw;
  if (!slot.present || (slot.value.IsNull() && !takes_null)) {
    if (Wanted()) Add(MissingIssue(here, *field.shape));
    return;
  }
  Value(*field.shape, field.rule, slot.value, member, here);
}

void Decoder::Default(const Field& field, void* member) {
  if (field.rule.default_json.empty()) return field.shape->clear(member);
  if (StoreScalarDefault(*field.shape, field.rule.default_json, member)) return;
  if (!defaults_) defaults_.emplace();
  const Result<View> value = defaults_->Parse(field.rule.default_json);
  CHECK(value.has_value());
  DecodeReport report;
  Decoder(Mode::kStrict, report)
      .Value(*field.shape, kNoRule, *value, member, Place{.field = &field});
  CHECK(report.issues.empty());
}

bool Decoder::CountsAsAbsent(const Field& field, View value) const {
  if (value.IsNull()) {
    return field.shape->kind != Kind::kNullable;
  }
  if (!repairing() || field.rule.free_text) return false;
  const Kind inner =
      field.shape->kind == Kind::kOptional ? field.shape->inner->kind : field.shape->kind;
  if (inner == Kind::kAny || inner == Kind::kRaw) return false;
  if (value.IsArray() && value.Size() == 1) {
    bool is_null_text = false;
    value.ForEachElement([&](View element) {
      is_null_text = element.AsString() == "null";
      return false;
    });
    return is_null_text;
  }
  const std::optional<std::string_view> text = value.AsString();
  if (!text) return false;
  const std::string_view judged = field.rule.trim ? Trim(*text) : *text;
  return judged.empty() || judged == "null" || judged == "undefined";
}

}  // namespace ducat::json
