#include "json/decode.h"

#include "json/decoder.h"

namespace ducat::json {

DecodeReport DecodeArguments(const Shape& shape, View arguments, void* out) {
  DecodeReport report;
  Decoder(Decoder::Mode::kRepairing, report).Root(shape, arguments, out);
  return report;
}

Status DecodeStrict(const Shape& shape, View value, void* out) {
  DecodeReport report;
  Decoder decoder(Decoder::Mode::kStrict, report);
  if (shape.kind == Kind::kObject) {
    decoder.Root(shape, value, out);
  } else {
    decoder.Value(shape, {}, value, out, {});
  }
  if (report.issues.empty()) return {};
  const Issue& first = report.issues.front();
  return Fail(ErrorCode::kInvalidArgument, "invalid_message",
              first.path.empty() ? first.message : first.path + ": " + first.message);
}

}  // namespace ducat::json
