#include "transport/http/jwt/issuer_keys.h"

namespace ducat::transport {

Result<std::unique_ptr<KeyFile>> KeyFile::Open(std::string path, Parse parse) {
  auto file = std::make_unique<KeyFile>(std::move(path), std::move(parse));
  TRY(file->Reload(true, {}));
  return file;
}

Result<bool> KeyFile::Reload(bool in_any_case, MonotonicTime) {
  TRY_ASSIGN(const std::optional<std::string> text, file_.Read(in_any_case));
  if (!text) return false;
  TRY_ASSIGN(keys_, parse_(*text));
  ++version_;
  return true;
}

}  // namespace ducat::transport
