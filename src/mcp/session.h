#pragma once
// Session: what is remembered about one client: a stdio connection, a legacy HTTP session, or one
// modern POST.
// Owned by its transport, which keeps its Outbox alive longer; must end before its Server. Ending
// it abandons what is in flight: work is cancelled and nothing more is sent. Control thread only.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/log.h"
#include "mcp/call_context.h"
#include "mcp/outbox.h"
#include "mcp/request.h"
#include "mcp/revision.h"
#include "mcp/scopes.h"

namespace ducat::mcp {

class Server;

// Who sends the messages of a session.
struct Caller {
  std::string principal = "local";
  std::string tenant = "default";
  // Calls of one turn wait for each other at the workers, never for those of other turns: the name
  // of a session or connection. Empty: the principal.
  std::string turn;
  std::string remote;      // the client's address; empty on stdio
  std::string session_id;  // of a legacy session over HTTP; a secret
  Grant grant;             // null: no authentication, everything may be used
};

class Session {
 public:
  // `transport` is a literal, for the log.
  Session(Server& server, Outbox& outbox, std::string_view transport = "stdio", Caller caller = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Requests that are not answered yet; listen streams do not count.
  [[nodiscard]] size_t in_flight() const { return requests_.size(); }
  // Called whenever the last request in flight has been answered.
  void OnIdle(std::function<void()> callback) { idle_ = std::move(callback); }

  // For the protocol core only, from here on.

  // What a legacy handshake fixed; a second one starts afresh.
  struct Legacy {
    std::optional<Revision> revision;
    bool announced = false;  // notifications/initialized has come
    LogLevel log_threshold = LogLevel::kInfo;
    std::set<std::string, std::less<>> uris;  // resources/subscribe
    ClientCapabilities client;                // of initialize
  };
  Legacy legacy;

  // Requests of the server that wait for an answer, by id; each belongs to one of the client's.
  std::map<std::string, std::weak_ptr<Request>> asked;
  uint64_t last_asked = 0;
  // False for a client that cannot be asked: nothing would bring its answer back here.
  bool takes_requests = true;

  [[nodiscard]] Outbox& outbox() { return outbox_; }
  [[nodiscard]] const Caller& caller() const { return caller_; }
  // The principal stays; a later token of his may have other scopes.
  void set_grant(Grant grant) { caller_.grant = std::move(grant); }
  [[nodiscard]] std::string_view transport() const { return transport_; }
  [[nodiscard]] std::shared_ptr<Request> Find(const std::string& key) const;
  void Add(std::shared_ptr<Request> request);
  void Remove(const std::string& key);
  // All of them, taken out.
  [[nodiscard]] std::map<std::string, std::shared_ptr<Request>> TakeAll();

 private:
  Server& server_;
  Outbox& outbox_;
  std::string_view transport_;
  Caller caller_;
  std::map<std::string, std::shared_ptr<Request>> requests_;
  std::function<void()> idle_;
};

}  // namespace ducat::mcp
