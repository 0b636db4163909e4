#pragma once
// Whether a client's answer fits what it was asked (protocol.md 12): the shape of its kind and, for
// a form, the flat schema that was sent along. What nobody asked for is ignored. Pure.

#include "json/view.h"
#include "mcp/client_input.h"

namespace ducat::mcp {

[[nodiscard]] bool AnswerFits(const InputRequest& request, json::View answer);

// The form's schema alone, for its content.
[[nodiscard]] bool FitsForm(json::View schema, json::View content);

}  // namespace ducat::mcp
