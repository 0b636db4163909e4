#pragma once
// Server: the protocol without sockets. Takes one message of a session at a time, decides its era,
// serves it and sends what results to the session's outbox; drives stdio, HTTP, tests and the
// fuzzer alike. Owned by the app; outlives its sessions and the run of its executor's loop. Control
// thread only. Nothing here fails to its caller: every failure is a reply.

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/clock.h"
#include "base/ids.h"
#include "base/log.h"
#include "mcp/call_record.h"
#include "mcp/http_caller.h"
#include "mcp/limits.h"
#include "mcp/lists.h"
#include "mcp/message.h"
#include "mcp/rate_limiter.h"
#include "mcp/registry.h"
#include "mcp/request_state.h"
#include "mcp/results_encoder.h"
#include "mcp/router.h"
#include "mcp/session.h"
#include "mcp/subscriptions.h"
#include "mcp/tasks.h"
#include "mcp/timer_queue.h"

namespace ducat::mcp {

struct ServerOptions {
  ServerInfo info;
  Limits limits;
  TextForm text = TextForm::kFull;
  std::vector<CallObserver*> observers;  // told of every call; outlive the server
  std::string request_state_key;         // at least 32 bytes; empty: drawn when first needed
  RateLimit rate;                        // of each principal
};

class Server : private InputChannel {
 public:
  // Becomes the registry's listener.
  Server(boost::asio::any_io_executor executor, Registry& registry, const Clock& clock, Log& log,
         ServerOptions options);
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // One message: a line of stdio or the body of a POST. Called from the executor's loop. What
  // answers it goes to `outbox`, which lives as long as the session; without one to the session's.
  void Receive(std::string_view text, Session& session, Outbox& outbox);
  void Receive(std::string_view text, Session& session) {
    Receive(text, session, session.outbox());
  }
  // The body of a POST: the whole ladder of protocol.md 3, statuses and headers included.
  void ReceiveHttp(std::string_view text, HttpCaller& http);
  // A message that the transport could not take (too long): answered with `error`, without an id.
  void Refuse(const RpcError& error, Session& session);
  // At shutdown: cancels what is in flight without an answer and ends the listen streams.
  void CancelAll(Session& session);
  void FinishStreams(Session& session) { subscriptions_.Finish(session); }

  // The array of tools/list as a revision sees it, for the command line and the documentation.
  [[nodiscard]] std::string ToolsJson(Revision revision) { return lists_.ToolsJson(revision); }
  [[nodiscard]] const Limits& limits() const { return options_.limits; }
  [[nodiscard]] const ServerInfo& info() const { return options_.info; }
  // What is advertised; follows from what is registered.
  [[nodiscard]] Capabilities OwnCapabilities() const;
  [[nodiscard]] TimerQueue& timers() { return timers_; }
  // Counts what the transport answers itself for a principal; a number: come again after so many
  // seconds.
  [[nodiscard]] std::optional<int64_t> TakeRate(std::string_view principal);
  [[nodiscard]] size_t listen_streams() const { return subscriptions_.size(); }
  [[nodiscard]] std::array<size_t, kTaskStatuses> TaskCounts() const { return tasks_.Counts(); }
  // Those that anything registered needs.
  [[nodiscard]] Scopes AllScopes() const { return registry_.AllScopes(); }

 private:
  friend class Session;
  using Reply = Params<std::string>;  // a whole message, or the error to send
  using RequestPtr = std::shared_ptr<Request>;

  // Where a message came from and where its answer goes.
  struct Origin {
    Session& session;
    Outbox& outbox;
    std::shared_ptr<Batch> batch = nullptr;  // set for an element of a batch
    HttpCaller* http = nullptr;              // set for a POST, while it is being received

    void Reply(std::string message) const;
    void Refuse(std::string_view id, const RpcError& error) const;
  };

  // server.cc: from bytes to a request, and from a reply to bytes.
  void ReceiveOne(json::View value, std::string id, const Origin& origin);
  void ReceiveBatch(json::View array, const Origin& origin);
  void BeginBatch(json::View array, const Origin& origin);
  void ReceiveNotification(const Message& message, Session& session);
  // False: nobody has asked for this.
  [[nodiscard]] bool ReceiveAnswer(json::View value, const std::string& key, Session& session);
  void ReceiveRequest(const Message& message, std::string key, const Origin& origin);
  [[nodiscard]] std::string WhyNoBatch(json::View array) const;
  // The text is no message at all; which rung depends on whether it was JSON.
  [[nodiscard]] static RpcError NotParsed(const Error& error);
  void ReleaseDocument(size_t text_bytes);
  [[nodiscard]] std::optional<RpcError> WhyNotNow(Method method, const std::string& key,
                                                  const Session& session) const;
  [[nodiscard]] RequestPtr MakeRequest(const Message& message, Routed routed, std::string key,
                                       const Origin& origin);

  // receive_http.cc: the rungs that look at headers and give statuses.
  void ReceiveHttpOne(json::View value, std::string id, HttpCaller& http);
  void ReceiveHttpBatch(json::View array, HttpCaller& http);
  void ReceiveHttpAnswer(json::View value, const std::string& key, HttpCaller& http);
  void ReceiveHttpNotification(const Message& message, HttpCaller& http);
  void ReceiveHttpRequest(const Message& message, std::string key, HttpCaller& http);

  // request_loop.cc: running requests, and the barrier for foreign exceptions.
  void Begin(const RequestPtr& request);
  void Spawn(const RequestPtr& request);
  boost::asio::awaitable<void> Serve(RequestPtr request);
  void Ended(const RequestPtr& request, const std::exception_ptr& exception);
  void Finish(Request& request, Reply reply);
  void LeaveFlight(Request& request);
  void ArmDeadline(const RequestPtr& request);
  void ReleaseSlot(Request& request);
  void CancelRequest(Request& request, CancelCause cause);
  void TimeOut(Request& request);
  void KeepDocument(Request& request);
  void WireContext(const RequestPtr& request, std::string progress_token);

  // access.cc: whether a request is served.
  [[nodiscard]] std::optional<Reply> WhyNotServed(Request& request);
  [[nodiscard]] std::optional<RpcError> WhyForbidden(const Request& request) const;
  [[nodiscard]] std::optional<Reply> WhyTooOften(Request& request);
  [[nodiscard]] std::optional<Error> WhyOverloaded(const Request& request) const;

  // methods.cc: what needs no time.
  [[nodiscard]] Reply ServeNow(Request& request);
  [[nodiscard]] Reply Initialize(Request& request);
  [[nodiscard]] Reply Discover(Request& request);
  [[nodiscard]] Reply SetLevel(Request& request);
  [[nodiscard]] Reply Subscribe(Request& request, bool on);
  [[nodiscard]] Reply Complete(Request& request);
  [[nodiscard]] Reply List(Request& request, ListKind kind);
  [[nodiscard]] bool Advertised(Method method) const;
  [[nodiscard]] std::string Instructions(const Request& request) const;

  // calls.cc: what may take time.
  [[nodiscard]] Params<void> PrepareToolCall(Request& request);
  boost::asio::awaitable<Reply> CallTool(RequestPtr request);
  boost::asio::awaitable<Reply> ReadResource(RequestPtr request);
  boost::asio::awaitable<Reply> GetPrompt(RequestPtr request);
  [[nodiscard]] std::string ToolFailure(Request& request, const Error& error);
  [[nodiscard]] Reply HandlerFailure(Request& request, const Error& error, std::string_view uri);
  void LogOutcome(const Request& request, std::string_view outcome, std::string_view reason,
                  std::string_view detail);

  // observing.cc: what observers are told.
  void StartObserving(Request& request) const;
  [[nodiscard]] std::optional<Error> WhyNotRecorded() const;
  void TellObservers(Request& request, size_t reply_bytes) const;

  // asking.cc: input from the client.
  [[nodiscard]] Params<void> PrepareInquiry(Request& request, bool asks);
  Task<InputAnswers> Ask(CallContext& context, std::vector<Question> questions) override;
  boost::asio::awaitable<void> AwaitAnswers(Request& request);
  boost::asio::awaitable<void> AskLegacy(Request& request);
  boost::asio::awaitable<void> AskInTask(Request& request);
  void WithdrawQuestions(Request& request);
  void SendQuestion(const RequestPtr& request, OpenQuestion& open);
  [[nodiscard]] static bool EndsWithQuestions(const Request& request, const Error& error);
  [[nodiscard]] Reply InputRequired(Request& request);
  static void AppendInputRequests(const Inquiry& inquiry, json::JsonWriter& out);

  // task_methods.cc: calls that become tasks.
  [[nodiscard]] Params<void> PrepareTask(Request& request);
  void BeginTask(const RequestPtr& request);
  void StartTask(const RequestPtr& request);
  void WireTaskContext(const RequestPtr& request);
  void FinishTask(Request& request, Reply reply);
  void EndTask(TaskRecord& task, CancelCause cause);
  [[nodiscard]] Reply GetTask(const Request& request);
  [[nodiscard]] Reply UpdateTask(const Request& request);
  [[nodiscard]] Reply CancelTask(const Request& request);
  [[nodiscard]] Params<std::shared_ptr<TaskRecord>> TaskOf(const Request& request) const;
  void AppendDetails(const TaskRecord& task, json::JsonWriter& out) const;
  [[nodiscard]] static Params<void> TakeTaskAnswers(json::View responses, Inquiry& inquiry);
  [[nodiscard]] static std::string FreshName(const std::string& key, Inquiry& inquiry);
  [[nodiscard]] std::chrono::milliseconds TaskTimeLimit(const Request& request) const;
  void SetTaskStatus(const std::shared_ptr<TaskRecord>& task, TaskStatus status);
  void TaskChanged(const std::shared_ptr<TaskRecord>& task);

  boost::asio::any_io_executor executor_;
  Registry& registry_;
  Log& log_;
  ServerOptions options_;
  std::string modern_meta_;  // inside of the modern _meta of every result
  RequestIds request_ids_;
  TimerQueue timers_;
  Lists lists_;
  RequestStateCodec request_states_;
  Tasks tasks_;
  Subscriptions subscriptions_;
  RateLimiter rate_;
  json::Document document_;
  size_t calls_running_ = 0;
  std::map<std::string, size_t, std::less<>> calls_of_principal_;  // in flight; none: no entry
  std::deque<RequestPtr> calls_waiting_;
};

}  // namespace ducat::mcp
