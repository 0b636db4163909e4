// Tools that answer at once with content of every kind.
#include "fixtures.h"
#include "free_form_tool.h"

namespace ducat::conformance {
namespace {

Task<mcp::Answer> Done(mcp::Answer answer) {
  co_return answer;
}
Task<mcp::Answer> Failed(Error error) {
  co_return Failure(std::move(error));
}

// A tool without arguments that always answers the same.
void AddFixed(mcp::Registry& registry, std::string name, std::string description,
              mcp::Answer answer) {
  Add(registry, FreeForm(std::move(name), std::move(description), kNoArguments,
                         [answer = std::move(answer)](json::View, mcp::CallContext&) {
                           return Done(answer);
                         }));
}

std::string Image() {
  return R"({"type":"image","mimeType":"image/png","data":")" + std::string(kPng) + "\"}";
}
std::string Audio() {
  return R"([{"type":"audio","mimeType":"audio/wav","data":")" + std::string(kWav) + "\"}]";
}

constexpr std::string_view kSchema2020 =
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",)"
    R"("$defs":{"address":{"$anchor":"addressDef","type":"object","properties":)"
    R"({"street":{"type":"string"},"city":{"type":"string"}}}},)"
    R"("properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},)"
    R"("contactMethod":{"type":"string","enum":["phone","email"]},)"
    R"("phone":{"type":"string"},"email":{"type":"string"}},)"
    R"("allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],)"
    R"("if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},)"
    R"("then":{"required":["phone"]},"else":{"required":["email"]},)"
    R"("additionalProperties":false})";

void AddMixed(mcp::Registry& registry) {
  AddFixed(
      registry, "test_multiple_content_types", "Text, an image and a resource.",
      Content(R"([{"type":"text","text":"Multiple content types test:"},)" + Image() +
              R"(,{"type":"resource","resource":{"uri":"test://mixed-content-resource",)"
              R"("mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}])"));
  AddFixed(registry, "test_embedded_resource", "An embedded resource.",
           Content(R"([{"type":"resource","resource":{"uri":"test://embedded-resource",)"
                   R"("mimeType":"text/plain","text":"This is an embedded resource content."}}])"));
}

void AddFailing(mcp::Registry& registry) {
  Add(registry,
      FreeForm("test_error_handling", "Always fails.", kNoArguments,
               [](json::View, mcp::CallContext&) {
                 return Failed({.code = ErrorCode::kFailedPrecondition,
                                .reason = "intended",
                                .message = "This tool intentionally returns an error for testing",
                                .data = {}});
               }));
  Add(registry, FreeForm("test_missing_capability", "Needs a client that can sample.", kNoArguments,
                         [](json::View, mcp::CallContext& context) {
                           if (context.client.sampling) return Done(TextContent("It can sample."));
                           return Failed({.code = ErrorCode::kFailedPrecondition,
                                          .reason = "missing_client_capability",
                                          .message = "This tool needs the capability sampling",
                                          .data = R"("sampling":{})"});
                         }));
}

void AddWithArguments(mcp::Registry& registry) {
  const auto say = [](std::string_view property, std::string prefix) -> Call {
    return [property, prefix](json::View arguments, mcp::CallContext&) {
      const auto value = arguments.Find(property);
      const auto text = value ? value->AsString() : std::nullopt;
      return Done(TextContent(prefix + std::string(text.value_or(""))));
    };
  };
  Add(registry, FreeForm("echo", "Gives a text back.",
                         R"({"type":"object","properties":{"message":{"type":"string",)"
                         R"("description":"The text."}},"required":["message"]})",
                         say("message", "Echo: ")));
  mcp::Tool mirrored =
      FreeForm("test_x_mcp_header", "Takes an argument that a header repeats.",
               R"({"type":"object","properties":{"region":{"type":"string","description":"A )"
               R"(region.","x-mcp-header":"Region"}},"required":["region"]})",
               say("region", "Region: "));
  mirrored.param_headers = {{.property = "region", .header = "Region"}};
  Add(registry, std::move(mirrored));
  Add(registry, FreeForm("json_schema_2020_12_tool", "Has a schema of JSON Schema 2020-12.",
                         kSchema2020, say("name", "Name: ")));
}

}  // namespace

void AddContentTools(mcp::Registry& registry) {
  AddFixed(registry, "test_simple_text", "A plain text.",
           TextContent("This is a simple text response for testing."));
  AddFixed(registry, "test_image_content", "An image.", Content("[" + Image() + "]"));
  AddFixed(registry, "test_audio_content", "A sound.", Content(Audio()));
  AddMixed(registry);
  AddFailing(registry);
  AddWithArguments(registry);
  AddFixed(registry, "test_streaming_elicitation", "Asks for nothing.",
           TextContent("No request was sent on the stream."));
}

}  // namespace ducat::conformance
