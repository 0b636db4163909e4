#pragma once
// Legacy sessions over HTTP (protocol.md 7.7): what Mcp-Session-Id names. A session owns the
// streams of its requests, which go on when their connection is lost, and the messages that wait
// for its GET stream. Owned by the HTTP server; ends before the mcp::Server. Control thread only.

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "mcp/server.h"
#include "mcp/session.h"
#include "transport/http/limits.h"
#include "transport/http/reply_stream.h"

namespace ducat::transport {

class LegacySession final : public mcp::Outbox {
 public:
  LegacySession(mcp::Server& server, const HttpLimits& limits, std::string id, mcp::Caller caller);
  ~LegacySession() override;
  LegacySession(const LegacySession&) = delete;
  LegacySession& operator=(const LegacySession&) = delete;

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] mcp::Session& core() { return core_; }

  // The stream of one POST; kept until its answer was delivered or cannot be any more.
  [[nodiscard]] std::shared_ptr<ReplyStream> OpenPost(bool streams, MonotonicTime now);
  // The stream for a GET: the one that `last_event_id` belongs to, else the session's own. Null
  // when that one is open already.
  [[nodiscard]] std::shared_ptr<ReplyStream> OpenGet(std::string_view last_event_id);

  // Messages of no request: to the GET stream, or remembered for it.
  void Send(Kind kind, std::string message) override;

  // Nothing runs and nobody listens.
  [[nodiscard]] bool IsIdle() const;
  void Sweep(MonotonicTime now);

 private:
  [[nodiscard]] std::shared_ptr<ReplyStream> FindForReplay(std::string_view last_event_id);
  void TrimKept();

  const HttpLimits& limits_;
  std::string id_;
  uint64_t last_number_ = 0;
  std::list<std::shared_ptr<ReplyStream>> posts_;
  std::shared_ptr<ReplyStream> own_;  // the GET stream, once there was one
  std::vector<std::string> waiting_;  // for the GET stream, each once
  mcp::Session core_;                 // ends first: what runs is cancelled
};

class LegacySessions {
 public:
  LegacySessions(mcp::Server& server, const HttpLimits& limits);

  // Null when there are too many and none of them is idle.
  [[nodiscard]] LegacySession* Open(mcp::Caller caller, MonotonicTime now);
  // Null when there is none of that id and principal.
  [[nodiscard]] LegacySession* Find(std::string_view id, std::string_view principal,
                                    MonotonicTime now);
  bool End(std::string_view id, std::string_view principal);
  // Ends what has been idle for too long. Called every second.
  void Sweep(MonotonicTime now);
  void EndAll();
  [[nodiscard]] size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::unique_ptr<LegacySession> session;
    std::string principal;
    MonotonicTime last_used;
  };
  using Entries = std::list<Entry>;  // least recently used first
  void Remove(Entries::iterator entry);
  [[nodiscard]] bool MakeRoom(std::string_view principal);

  mcp::Server& server_;
  const HttpLimits& limits_;
  Entries entries_;
  std::unordered_map<std::string, Entries::iterator> by_id_;
  std::map<std::string, size_t, std::less<>> per_principal_;
  uint64_t opened_ = 0;
};

}  // namespace ducat::transport
