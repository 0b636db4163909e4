#pragma once
// Subscriptions: who hears of changes, in both eras: subscriptions/listen (protocol.md 11.3) and,
// for legacy sessions, list_changed and resources/updated. Changes are gathered for 100 ms per kind
// and URI. Owned by the server; control thread only.

#include <array>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "mcp/limits.h"
#include "mcp/params.h"
#include "mcp/registry.h"
#include "mcp/request.h"
#include "mcp/session.h"
#include "mcp/tasks.h"
#include "mcp/timer_queue.h"

namespace ducat::mcp {

class Subscriptions {
 public:
  Subscriptions(const Registry& registry, const Tasks& tasks, const Limits& limits,
                TimerQueue& timers);

  // Opens the stream of `request` and acknowledges it on its outbox; nothing else answers the
  // request while the stream lives.
  [[nodiscard]] Params<void> Listen(const Request& request, std::string_view modern_meta);
  // notifications/cancelled for a stream: ends it without a word. False: no such stream.
  bool Cancel(const Session& session, const std::string& key);
  [[nodiscard]] bool Has(const Session& session, const std::string& key) const;
  // At shutdown: every stream of the session gets its final result.
  void Finish(const Session& session);

  void Join(Session& session) { sessions_.insert(&session); }
  void Leave(Session& session);

  [[nodiscard]] Params<void> Subscribe(Session& session, std::string_view uri) const;

  void OnChange(Registry::Change kind);
  void OnUpdated(std::string_view uri);
  // notifications/tasks to those who asked for this one; `members` is what tasks/get would say.
  void SendTask(const std::string& id, std::string_view members);

  [[nodiscard]] size_t size() const { return streams_.size(); }
  [[nodiscard]] bool CanChange(std::string_view uri, const Grant& grant) const;

 private:
  struct Stream {
    const Session* session;
    Outbox* outbox;
    std::string id;  // raw token
    std::string key;
    std::string principal;
    std::string meta;  // inside of the final result's _meta besides the subscription id
    std::array<bool, 3> kinds{};
    std::set<std::string, std::less<>> uris;
    std::set<std::string, std::less<>> tasks;
  };
  [[nodiscard]] Params<void> ReadFilter(json::View filter, const Grant& grant,
                                        Stream& stream) const;
  // The strings of filter[key], each no longer than a URI, given to `take`.
  [[nodiscard]] Params<void> ReadNames(json::View filter, std::string_view key,
                                       const std::function<void(std::string_view)>& take) const;
  void Acknowledge(const Stream& stream) const;
  void SendChange(Registry::Change kind);
  void SendUpdated(const std::string& uri);

  const Registry& registry_;
  const Tasks& tasks_;
  const Limits& limits_;
  TimerQueue& timers_;
  std::list<Stream> streams_;
  std::set<Session*> sessions_;
  std::array<bool, 3> gathering_{};
  std::set<std::string, std::less<>> gathering_uris_;
};

}  // namespace ducat::mcp
