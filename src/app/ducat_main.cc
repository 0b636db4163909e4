// ducat: the control process. Builds every object, owns it, and runs one command.
#include <string>
#include <utility>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/core_files.h"
#include "app/terminal.h"

int main(int argc, char** argv) {
  using ducat::app::ReportFailure;
#ifndef DUCAT_SANITIZED  // the leak check reads this process from another one
  ducat::app::RefuseCoreFiles();
#endif
  ducat::app::Terminal terminal;
  const ducat::Result<ducat::app::CommandLine> line = ducat::app::ParseCommandLine(argc, argv);
  if (!line) return ReportFailure(terminal, line.error());
  const ducat::Result<int> exit_code = ducat::app::RunCommand(*line, terminal);
  return exit_code ? *exit_code : ReportFailure(terminal, exit_code.error());
}
