#pragma once
// A transcript: what a client sends and what comes back, one JSON object a line.
//   {"in":…}           a message as it stands      {"in_text":"…"}    any text, for what is no
//   message
//   {"advance_ms":N}   the clock moves             {"note":"…"}       for the reader
//   {"out":…}          a message of the server; belongs to the line before it
// Playing it gives the same lines with the server's own "out" lines; volatile values are replaced.
// What only the server can know has a name: {{taskId}} and {{requestState}} stand for the last one
// that it sent, in what comes back and in what is sent.

#include <string>
#include <string_view>

#include "wire.h"

namespace ducat::testing {

// The transcript as this server plays it.
[[nodiscard]] std::string Play(std::string_view transcript, Wire& wire);

// Request ids become 00000-00000.
[[nodiscard]] std::string WithoutVolatileValues(std::string message);

}  // namespace ducat::testing
