#pragma once
// Folders of the machine in what the engine says: errors and plans name files by their whole paths,
// which are nobody's business. Pure.

#include <string>
#include <vector>

#include "worker/child/engine/connection.h"

namespace ducat::engine {

// Where tables lie, each with a slash at its end, longest first. Not the private directory: ingest
// names its own copies there by the files they were made from.
[[nodiscard]] std::vector<std::string> FoldersOf(const EngineSettings& settings);
// The text with names relative to their folder, also where it is JSON.
[[nodiscard]] std::string WithoutFolders(std::string text, const std::vector<std::string>& folders);

}  // namespace ducat::engine
