#pragma once
// Session: one connection of the C API with what belongs to it. Owned by its Database; a Connection
// borrows it and gives it back. For the .cc files of this folder only. Job thread, except
// Interrupt.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "worker/child/engine/chunk.h"
#include "worker/child/engine/connection.h"
#include "worker/child/engine/folders.h"
#include "worker/child/engine/handles.h"
#include "worker/child/engine/lockdown.h"
#include "worker/child/engine/type_reader.h"

namespace ducat::engine {

struct Session {
  ConnectionHandle handle;
  PreparedHandle serialize;  // json_serialize_sql(?), prepared at first use
  PreparedHandle objects;    // the list of Connection::ReadState, the same
  const Keywords* keywords = nullptr;
  const std::vector<std::string>* folders = nullptr;  // of the machine, not to be named
  bool is_broken = false;                             // an INTERNAL or FATAL error was seen
  bool is_borrowed = false;
};

// The error as a result; remembers what leaves the engine in a state that nobody knows.
[[nodiscard]] inline tl::unexpected<EngineError> Failed(Session& session, EngineError error) {
  error.message = WithoutFolders(std::move(error.message), *session.folders);
  if (error.type == "INTERNAL" || error.type == "FATAL") session.is_broken = true;
  return tl::unexpected(std::move(error));
}

struct DatabaseState {
  DatabaseHandle handle;
  std::string db_file;
  bool is_attached = false;
  Keywords keywords;
  std::vector<std::string> folders;
  std::vector<LockedSetting> lockdown;
  std::vector<std::unique_ptr<Session>> sessions;  // after `handle`: they are closed first
};

struct Database::Impl : DatabaseState {};

struct Connection::Impl {
  DatabaseState& database;
  Session& session;
};

struct Rows::Impl {
  Session* session = nullptr;
  PreparedHandle prepared;  // lives as long as its streaming result
  ResultHandle result;
  ChunkHandle chunk_handle;
  Chunk chunk;
  std::vector<ResultColumn> columns;
  std::vector<Type> types;
};

}  // namespace ducat::engine
