#pragma once
// Tokens, keys and rows in memory stay there: no core file of this process, and no other process of
// its user may read it (protocol.md, S-27). Called once by main; a kernel that refuses changes
// nothing else.

namespace ducat::app {

void RefuseCoreFiles();

}  // namespace ducat::app
