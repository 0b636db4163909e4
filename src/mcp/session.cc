#include "mcp/session.h"

#include <utility>

#include "mcp/server.h"

namespace ducat::mcp {

Session::Session(Server& server, Outbox& outbox, std::string_view transport, Caller caller)
    : server_(server), outbox_(outbox), transport_(transport), caller_(std::move(caller)) {
  server_.subscriptions_.Join(*this);
}

Session::~Session() {
  idle_ = nullptr;
  server_.subscriptions_.Leave(*this);
  server_.CancelAll(*this);
}

std::shared_ptr<Request> Session::Find(const std::string& key) const {
  const auto found = requests_.find(key);
  return found == requests_.end() ? nullptr : found->second;
}

void Session::Add(std::shared_ptr<Request> request) {
  requests_.emplace(request->key, std::move(request));
}

void Session::Remove(const std::string& key) {
  if (requests_.erase(key) > 0 && requests_.empty() && idle_) idle_();
}

std::map<std::string, std::shared_ptr<Request>> Session::TakeAll() {
  return std::exchange(requests_, {});
}

}  // namespace ducat::mcp
