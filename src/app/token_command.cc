// `ducat token new`: a bearer token on stdout, once; its line for the token file on stderr.
#include "app/commands.h"
#include "transport/http/token_file.h"

namespace ducat::app {

Result<int> MakeToken(const CommandLine& line, Terminal& terminal) {
  if (line.words.size() != 1 || line.words.front() != "new") {
    return Fail(ErrorCode::kInvalidArgument, "invalid_usage",
                "ducat token takes the word new, not \"" +
                    (line.words.empty() ? std::string() : line.words.front()) + "\".");
  }
  transport::TokenEntry entry;
  entry.caller.principal = line.principal;
  if (!line.tenant.empty()) entry.caller.tenant = line.tenant;
  entry.scopes = line.scopes.empty() ? std::vector<std::string>{"*"} : line.scopes;
  const std::string token = transport::NewToken();
  TRY_ASSIGN(const std::string file_line, transport::TokenLine(token, entry));
  terminal.Out(token + "\n");
  terminal.Err(file_line + "\n");
  return kExitOk;
}

}  // namespace ducat::app
