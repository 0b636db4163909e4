#include "mcp/rpc_error.h"

#include "json/writer.h"
#include "mcp/text.h"

namespace ducat::mcp {

std::string EncodeErrorObject(const RpcError& error) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.Field("code", error.code);
  writer.Field("message", CleanForDisplay(error.message));
  if (!error.data.empty()) writer.RawField("data", error.data);
  writer.EndObject();
  return out;
}

std::string EncodeError(std::string_view id, const RpcError& error) {
  std::string out;
  json::JsonWriter writer(out);
  writer.BeginObject();
  writer.RawField("jsonrpc", "\"2.0\"");
  if (!id.empty()) writer.RawField("id", id);
  writer.RawField("error", EncodeErrorObject(error));
  writer.EndObject();
  return out;
}

}  // namespace ducat::mcp
