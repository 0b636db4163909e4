#include "transport/http/legacy_sessions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ids.h"
#include "base/text.h"

namespace ducat::transport {
namespace {

// What waits for a GET stream: one list_changed of each kind, and updates of so many URIs.
constexpr size_t kWaitingMax = 256 + 3;

std::string NewSessionId() {
  std::array<uint8_t, 16> bytes{};
  FillRandom(bytes);
  return Base64UrlEncode({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

struct EventId {
  uint64_t stream = 0;
  uint64_t sequence = 0;
};

std::optional<EventId> ParseEventId(std::string_view text) {
  const size_t dash = text.find('-');
  if (dash == text.npos) return std::nullopt;
  const auto read = [](std::string_view digits, uint64_t& out) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  EventId id;
  if (!read(text.substr(0, dash), id.stream) || !read(text.substr(dash + 1), id.sequence)) {
    return std::nullopt;
  }
  return id;
}

}  // namespace

LegacySession::LegacySession(mcp::Server& server, const HttpLimits& limits, std::string id,
                             mcp::Caller caller)
    : limits_(limits), id_(std::move(id)), core_(server, *this, "http", std::move(caller)) {}

LegacySession::~LegacySession() {
  for (const auto& stream : posts_) {
    stream->Close();
  }
  if (own_) own_->Close();
}

std::shared_ptr<ReplyStream> LegacySession::OpenPost(bool streams, MonotonicTime now) {
  Sweep(now);
  auto stream = std::make_shared<ReplyStream>(streams, limits_);
  if (limits_.replay_events_max > 0) stream->KeepEvents(++last_number_);
  if (core_.legacy.revision == mcp::Revision::k20251125) stream->PrimeFirst();
  posts_.push_back(stream);
  return stream;
}

std::shared_ptr<ReplyStream> LegacySession::OpenGet(std::string_view last_event_id) {
  if (auto stream = FindForReplay(last_event_id)) return stream;
  if (own_ && own_->attached()) return nullptr;
  if (!own_) {
    own_ = std::make_shared<ReplyStream>(true, limits_);
    if (limits_.replay_events_max > 0) own_->KeepEvents(++last_number_);
    own_->BeginStream();
  }
  for (std::string& message : std::exchange(waiting_, {})) {
    own_->Send(Kind::kChange, std::move(message));
  }
  return own_;
}

std::shared_ptr<ReplyStream> LegacySession::FindForReplay(std::string_view last_event_id) {
  const auto id = ParseEventId(last_event_id);
  if (!id || id->stream == 0) return nullptr;
  if (own_ && own_->number() == id->stream) {
    if (!own_->attached()) static_cast<void>(own_->RewindAfter(id->sequence));
    return nullptr;  // it is the session's own, with or without what followed
  }
  for (const auto& stream : posts_) {
    if (stream->number() != id->stream || !stream->streaming()) continue;
    return stream->RewindAfter(id->sequence) ? stream : nullptr;
  }
  return nullptr;
}

void LegacySession::Send(Kind kind, std::string message) {
  if (own_ && own_->attached()) return own_->Send(kind, std::move(message));
  if (kind != Kind::kChange || waiting_.size() >= kWaitingMax) return;
  if (std::ranges::find(waiting_, message) == waiting_.end()) {
    waiting_.push_back(std::move(message));
  }
}

bool LegacySession::IsIdle() const {
  return core_.in_flight() == 0 && !(own_ && own_->attached()) &&
         std::ranges::none_of(posts_, [](const auto& stream) { return stream->attached(); });
}

void LegacySession::Sweep(MonotonicTime now) {
  std::erase_if(posts_, [now](const auto& stream) { return stream->IsOver(now); });
  TrimKept();
}

void LegacySession::TrimKept() {
  size_t events = own_ ? own_->kept_events() : 0;
  size_t bytes = own_ ? own_->kept_bytes() : 0;
  for (const auto& stream : posts_) {
    events += stream->kept_events();
    bytes += stream->kept_bytes();
  }
  const auto trim = [&](ReplyStream& stream) {
    while (stream.kept_events() > 0 &&
           (events > limits_.replay_events_max || bytes > limits_.replay_bytes_max)) {
      events -= 1;
      bytes -= stream.kept_bytes();
      stream.DropOldestKept();
      bytes += stream.kept_bytes();
    }
  };
  for (const auto& stream : posts_) {
    trim(*stream);
  }
  if (own_) trim(*own_);
}

LegacySessions::LegacySessions(mcp::Server& server, const HttpLimits& limits)
    : server_(server), limits_(limits) {}

LegacySession* LegacySessions::Open(mcp::Caller caller, MonotonicTime now) {
  if (!MakeRoom(caller.principal)) return nullptr;
  std::string principal = caller.principal;
  std::string id = NewSessionId();
  ++per_principal_[principal];
  caller.session_id = id;
  caller.turn = "session " + std::to_string(++opened_);
  Entry& entry = entries_.emplace_back();
  entry.session = std::make_unique<LegacySession>(server_, limits_, id, std::move(caller));
  entry.principal = std::move(principal);
  entry.last_used = now;
  by_id_.emplace(std::move(id), std::prev(entries_.end()));
  return entry.session.get();
}

bool LegacySessions::MakeRoom(std::string_view principal) {
  const auto own = per_principal_.find(principal);
  const bool own_full =
      own != per_principal_.end() && own->second >= limits_.sessions_per_principal_max;
  if (!own_full && entries_.size() < limits_.sessions_max) return true;
  const auto oldest = std::ranges::find_if(entries_, [&](const Entry& entry) {
    return (!own_full || entry.principal == principal) && entry.session->IsIdle();
  });
  if (oldest == entries_.end()) return false;
  Remove(oldest);
  return true;
}

LegacySession* LegacySessions::Find(std::string_view id, std::string_view principal,
                                    MonotonicTime now) {
  const auto found = by_id_.find(std::string(id));
  if (found == by_id_.end() || found->second->principal != principal) return nullptr;
  found->second->last_used = now;
  entries_.splice(entries_.end(), entries_, found->second);
  return found->second->session.get();
}

bool LegacySessions::End(std::string_view id, std::string_view principal) {
  const auto found = by_id_.find(std::string(id));
  if (found == by_id_.end() || found->second->principal != principal) return false;
  Remove(found->second);
  return true;
}

void LegacySessions::Sweep(MonotonicTime now) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto next = std::next(entry);
    entry->session->Sweep(now);
    const bool expired = now - entry->last_used >= limits_.session_idle;
    if (expired && entry->session->IsIdle()) Remove(entry);
    entry = next;
  }
}

void LegacySessions::EndAll() {
  while (!entries_.empty()) {
    Remove(entries_.begin());
  }
}

void LegacySessions::Remove(Entries::iterator entry) {
  const auto count = per_principal_.find(entry->principal);
  if (--count->second == 0) per_principal_.erase(count);
  by_id_.erase(entry->session->id());
  // Out of the tables first: what ends with it may look into them.
  const Entry ended = std::move(*entry);
  entries_.erase(entry);
}

}  // namespace ducat::transport
