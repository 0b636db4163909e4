#include "fetch/curl_client.h"

#include <list>
#include <map>
#include <utility>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include "fetch/curl_library.h"

namespace ducat::fetch {
namespace {

using boost::asio::posix::stream_descriptor;
using boost::system::error_code;
using Done = std::function<void(const Result<std::string>&)>;

Failure Failed(std::string message) {
  return Fail(ErrorCode::kUnavailable, "fetch_failed", std::move(message));
}

struct Transfer {
  GetRequest request;
  Done done;
  CURL* easy = nullptr;
  std::string body;
  bool too_large = false;
};

size_t TakeBody(char* bytes, size_t, size_t size, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (size > transfer.request.bytes_max - transfer.body.size()) {
    transfer.too_large = true;
    return 0;
  }
  transfer.body.append(bytes, size);
  return size;
}

bool IsLoopback(std::string_view url) {
  const size_t start = url.find("//");
  if (start == url.npos) return false;
  const std::string_view rest = url.substr(start + 2);
  return rest.starts_with("localhost") || rest.starts_with("127.0.0.1") ||
         rest.starts_with("[::1]");
}

// A socket that curl waits for. Curl owns the descriptor.
struct Watched {
  Watched(boost::asio::io_context& loop, int fd) : descriptor(loop) {
    error_code failed;  // then the waits fail too, and the transfer times out
    descriptor.assign(fd, failed);
  }
  ~Watched() { descriptor.release(); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  stream_descriptor descriptor;
  int wanted = 0;  // CURL_POLL_…
  bool reading = false;
  bool writing = false;
};

}  // namespace

class CurlClient::Impl : public std::enable_shared_from_this<CurlClient::Impl> {
 public:
  explicit Impl(boost::asio::io_context& loop) : loop_(loop), timer_(loop) {}

  void Get(GetRequest request, Done done) {
    Status ready = Open();
    Transfer& transfer = transfers_.emplace_back();
    transfer.request = std::move(request);
    transfer.done = std::move(done);
    if (ready) ready = Begin(transfer);
    if (ready) return;
    boost::asio::post(loop_, [self = shared_from_this(), &transfer, error = ready.error()] {
      if (!self->closed_) self->End(transfer, Failure(error));
    });
  }

  void Close() {
    closed_ = true;
    timer_.cancel();
    for (Transfer& transfer : transfers_) {
      Drop(transfer);
    }
    transfers_.clear();
    if (multi_ != nullptr) curl_.multi_cleanup(std::exchange(multi_, nullptr));
    watched_.clear();
  }

 private:
  Status Open() {
    if (multi_ != nullptr) return {};
    TRY_ASSIGN(curl_, CurlLibrary::Open());
    multi_ = curl_.multi_init();
    if (multi_ == nullptr) return Failed("libcurl gives no handle");
    curl_.multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &OnSocket);
    curl_.multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
    curl_.multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &OnTimer);
    curl_.multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
    return {};
  }

  Status Begin(Transfer& transfer) {
    CURL* easy = transfer.easy = curl_.easy_init();
    if (easy == nullptr) return Failed("libcurl gives no handle");
    const auto set = curl_.easy_setopt;
    set(easy, CURLOPT_URL, transfer.request.url.c_str());
    set(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    set(easy, CURLOPT_FOLLOWLOCATION, 0L);
    set(easy, CURLOPT_NOSIGNAL, 1L);
    set(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(transfer.request.timeout.count()));
    set(easy, CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(transfer.request.bytes_max));
    set(easy, CURLOPT_WRITEFUNCTION, &TakeBody);
    set(easy, CURLOPT_WRITEDATA, &transfer);
    set(easy, CURLOPT_PRIVATE, &transfer);
    if (IsLoopback(transfer.request.url)) set(easy, CURLOPT_NOPROXY, "*");
    if (curl_.multi_add_handle(multi_, easy) != CURLM_OK) return Failed("libcurl is out of order");
    return {};
  }

  static int OnSocket(CURL*, curl_socket_t fd, int what, void* user, void*) {
    static_cast<Impl*>(user)->Watch(fd, what);
    return 0;
  }
  static int OnTimer(CURLM*, long ms, void* user) {
    static_cast<Impl*>(user)->SetTimer(ms);
    return 0;
  }

  void Watch(int fd, int what) {
    if (what == CURL_POLL_REMOVE) {
      watched_.erase(fd);
      return;
    }
    std::shared_ptr<Watched>& watched = watched_[fd];
    if (!watched) watched = std::make_shared<Watched>(loop_, fd);
    watched->wanted = what;
    Wait(fd, watched);
  }

  void Wait(int fd, const std::shared_ptr<Watched>& watched) {
    WaitFor(fd, watched, CURL_POLL_IN);
    WaitFor(fd, watched, CURL_POLL_OUT);
  }

  void WaitFor(int fd, const std::shared_ptr<Watched>& watched, int what) {
    const bool in = what == CURL_POLL_IN;
    bool& pending = in ? watched->reading : watched->writing;
    if ((watched->wanted & what) == 0 || pending) return;
    pending = true;
    watched->descriptor.async_wait(
        in ? stream_descriptor::wait_read : stream_descriptor::wait_write,
        [self = shared_from_this(), weak = std::weak_ptr(watched), fd, in](error_code error) {
          const auto alive = weak.lock();
          if (!alive) return;
          (in ? alive->reading : alive->writing) = false;
          if (error || self->closed_) return;
          self->Act(fd, in ? CURL_CSELECT_IN : CURL_CSELECT_OUT);
          if (!self->closed_ && !weak.expired() && alive.use_count() > 1) self->Wait(fd, alive);
        });
  }

  void SetTimer(long ms) {
    if (ms < 0) {
      timer_.cancel();
      return;
    }
    timer_.expires_after(std::chrono::milliseconds(ms));
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error && !self->closed_) self->Act(CURL_SOCKET_TIMEOUT, 0);
    });
  }

  void Act(curl_socket_t fd, int events) {
    int running = 0;
    curl_.multi_socket_action(multi_, fd, events, &running);
    int left = 0;
    while (CURLMsg* message = closed_ ? nullptr : curl_.multi_info_read(multi_, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      Transfer* transfer = nullptr;
      curl_.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      const Result<std::string> result = Judge(*transfer, code);
      End(*transfer, result);
    }
  }

  Result<std::string> Judge(Transfer& transfer, CURLcode code) {
    if (transfer.too_large || code == CURLE_FILESIZE_EXCEEDED) {
      return Failed(transfer.request.url + ": over " + std::to_string(transfer.request.bytes_max) +
                    " bytes");
    }
    if (code != CURLE_OK) {
      return Failed(transfer.request.url + ": " + curl_.easy_strerror(code));
    }
    long status = 0;
    curl_.easy_getinfo(transfer.easy, CURLINFO_RESPONSE_CODE, &status);
    if (status != 200) {
      return Failed(transfer.request.url + ": HTTP status " + std::to_string(status));
    }
    return std::move(transfer.body);
  }

  void Drop(Transfer& transfer) {
    if (transfer.easy == nullptr) return;
    CURL* easy = std::exchange(transfer.easy, nullptr);
    curl_.multi_remove_handle(multi_, easy);
    curl_.easy_cleanup(easy);
  }

  // `done` may destroy the client.
  void End(Transfer& transfer, const Result<std::string>& result) {
    Drop(transfer);
    const Done done = std::move(transfer.done);
    transfers_.remove_if([&](const Transfer& each) { return &each == &transfer; });
    done(result);
  }

  boost::asio::io_context& loop_;
  boost::asio::steady_timer timer_;
  CurlLibrary curl_;
  CURLM* multi_ = nullptr;
  std::map<int, std::shared_ptr<Watched>> watched_;
  std::list<Transfer> transfers_;
  bool closed_ = false;
};

CurlClient::CurlClient(boost::asio::io_context& loop) : impl_(std::make_shared<Impl>(loop)) {}

CurlClient::~CurlClient() {
  impl_->Close();
}

void CurlClient::Get(GetRequest request, Done done) {
  impl_->Get(std::move(request), std::move(done));
}

}  // namespace ducat::fetch
