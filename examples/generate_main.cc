// ducat-examples FOLDER: writes the example data set into FOLDER, overwriting its files.
#include <cstdio>

#include <fmt/format.h>

#include "examples/files.h"

int main(int count, char** arguments) {
  if (count != 2 || arguments[1][0] == '-') {
    fmt::print(stderr, "usage: ducat-examples FOLDER\n");
    return 2;
  }
  const ducat::Status written = ducat::examples::WriteDataSet(arguments[1]);
  if (!written) {
    fmt::print(stderr, "ducat-examples: {}\n", written.error().message);
    return 1;
  }
  return 0;
}
